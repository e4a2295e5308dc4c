//! One look-up: what is sought, in which text, and how much work it may cost.

use std::cell::{Cell, OnceCell};

use memchr::memmem::Finder;

use super::occurrences::occurrences;
use crate::batch::{LineEndings, Matching};
use crate::fit::Breaks;
use crate::fold::is_word;
use crate::indent::Unit;
use crate::index::Index;
use crate::rows::{row_start, rows};
use crate::steps;
use crate::text::Span;
use crate::working::Working;

/// How many bytes a look-up may compare, as a multiple of document and edit. Real texts need one or two; texts that repeat
/// themselves can need the product of both, and are given up.
const EFFORT: usize = 64;

/// How far around a place the document is asked how it indents, in bytes.
const NEIGHBOURHOOD: usize = 64 << 10;

/// The look-up was given up: document and edit repeat themselves too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exhausted;

/// One look-up of `old` in a working text.
pub(crate) struct Query<'a> {
    pub(crate) working: &'a Working<'a>,
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    pub(crate) matching: Matching,
    pub(crate) line_endings: LineEndings,
    pub(crate) breaks: Breaks,
    cores: OnceCell<Vec<Span>>,
    unit: OnceCell<Option<Unit>>,
    effort: Cell<usize>,
}

impl<'a> Query<'a> {
    pub(crate) fn new(
        working: &'a Working<'a>,
        (old, new): (&'a str, &'a str),
        matching: Matching,
        line_endings: LineEndings,
    ) -> Self {
        let effort = Cell::new(EFFORT * (working.as_str().len() + old.len()));
        Self {
            working,
            old,
            new,
            matching,
            line_endings,
            breaks: Breaks::default(),
            cores: OnceCell::new(),
            unit: OnceCell::new(),
            effort,
        }
    }

    /// The same look-up of other texts.
    pub(crate) fn of<'b>(&'b self, old: &'b str, new: &'b str) -> Query<'b> {
        Query::new(self.working, self.working.without_bom(old, new), self.matching, self.line_endings)
    }

    pub(crate) fn text(&self) -> &'a str {
        self.working.as_str()
    }

    /// Every place where `old` stands once white space and typography are ignored, no word cut: from its first character to
    /// its last. Whatever a tolerant tier matches is built on one of these.
    pub(crate) fn cores(&self) -> &[Span] {
        self.cores.get_or_init(|| {
            let needle = Index::skeleton_of(self.old);
            if needle.is_empty() {
                return Vec::new();
            }
            let (text, index) = (self.text(), self.working.index());
            let mut locator = index.locator(text);
            occurrences(index.skeleton(), &Finder::new(&needle))
                .filter_map(|at| locator.locate(at..at + needle.len()))
                .filter(|core| cuts_no_word(text, *core))
                .collect()
        })
    }

    /// One level of indentation of the document, as it is around the first place somebody asks for.
    pub(crate) fn unit(&self, place: Span) -> Option<Unit> {
        self.unit.get_or_init(|| Unit::of(rows(neighbourhood(self.text(), place)))).clone()
    }

    /// Counts `bytes` of work.
    pub(crate) fn spend(&self, bytes: usize) -> Result<(), Exhausted> {
        steps::count(bytes);
        let left = self.effort.get().checked_sub(bytes).ok_or(Exhausted)?;
        self.effort.set(left);
        Ok(())
    }
}

fn cuts_no_word(text: &str, core: Span) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(is_word);
    let (front, inside, behind) = (&text[..core.start.0], &text[core.range()], &text[core.end.0..]);
    let cut = |left: &str, right: &str| is_word(left.chars().next_back()) && is_word(right.chars().next());
    !cut(front, inside) && !cut(inside, behind)
}

fn neighbourhood(text: &str, span: Span) -> &str {
    let start = text.floor_char_boundary(span.start.0.saturating_sub(NEIGHBOURHOOD));
    let end = text.floor_char_boundary((span.end.0 + NEIGHBOURHOOD).min(text.len()));
    &text[row_start(text, start)..end]
}
