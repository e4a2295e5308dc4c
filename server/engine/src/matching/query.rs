//! One look-up: what is sought, in which text, and how much work it may cost.

use std::cell::{Cell, OnceCell};

use memchr::memmem::Finder;

use super::occurrences::occurrences;
use crate::batch::{LineEndings, Matching};
use crate::index::Index;
use crate::text::Span;
use crate::working::Working;

/// How many bytes a look-up may compare, as a multiple of document and edit. Real texts need one or two; texts that repeat
/// themselves can need the product of both, and are given up.
const EFFORT: usize = 64;

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
    cores: OnceCell<Vec<Span>>,
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
        Self { working, old, new, matching, line_endings, cores: OnceCell::new(), effort }
    }

    /// The same look-up of other texts.
    pub(crate) fn of<'b>(&'b self, old: &'b str, new: &'b str) -> Query<'b> {
        Query::new(self.working, (old, new), self.matching, self.line_endings)
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

    /// Counts `bytes` of work.
    pub(crate) fn spend(&self, bytes: usize) -> Result<(), Exhausted> {
        let left = self.effort.get().checked_sub(bytes).ok_or(Exhausted)?;
        self.effort.set(left);
        Ok(())
    }
}

fn cuts_no_word(text: &str, core: Span) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (front, inside, behind) = (&text[..core.start.0], &text[core.range()], &text[core.end.0..]);
    let cut = |left: &str, right: &str| is_word(left.chars().next_back()) && is_word(right.chars().next());
    !cut(front, inside) && !cut(inside, behind)
}
