//! The working text: the base with the edits of the batch applied so far. Made only when somebody reads it; what is made of
//! it is kept in step.

use std::cell::{Cell, OnceCell};

use crate::edit_set::{EditSet, Mapping};
use crate::index::Index;
use crate::steps;
use crate::text::{BOM, Byte, Line, Span, Text};

/// The base with the edits of the batch applied so far.
pub(crate) struct Working<'a> {
    base: &'a Text,
    text: Text,
    steps: Vec<Step>,
    made: OnceCell<Made>,
    /// What was made before the last steps, to be brought up to date rather than made anew.
    stale: Cell<Option<Made>>,
}

/// What one edit did to the text the earlier ones left.
struct Step {
    edits: EditSet,
    mapping: OnceCell<Mapping>,
}

impl Step {
    fn mapping(&self) -> &Mapping {
        self.mapping.get_or_init(|| self.edits.mapping())
    }
}

/// The text after some steps.
struct Made {
    text: String,
    index: OnceCell<Index>,
    steps: usize,
}

impl<'a> Working<'a> {
    pub(crate) fn new(base: &'a Text) -> Self {
        Self { base, text: base.clone(), steps: Vec::new(), made: OnceCell::new(), stale: Cell::new(None) }
    }

    pub(crate) fn base(&self) -> &'a Text {
        self.base
    }

    pub(crate) fn as_str(&self) -> &str {
        if self.steps.is_empty() { self.base.as_str() } else { &self.made().text }
    }

    /// It as a rope, which is there whether anybody read it or not.
    pub(crate) fn text(&self) -> &Text {
        &self.text
    }

    pub(crate) fn index(&self) -> &Index {
        if self.steps.is_empty() {
            return self.base.index();
        }
        let made = self.made();
        made.index.get_or_init(|| Index::of(&made.text))
    }

    pub(crate) fn line_of(&self, offset: Byte) -> Line {
        self.text.line_of(offset)
    }

    /// Old and new text without a BOM where this text has one: it takes no part.
    pub(crate) fn without_bom<'b>(&self, old: &'b str, new: &'b str) -> (&'b str, &'b str) {
        match old.strip_prefix(BOM).filter(|_| self.text().starts_with_bom()) {
            Some(old) => (old, new.strip_prefix(BOM).unwrap_or(new)),
            None => (old, new),
        }
    }

    /// What `span` was in the base; where it cuts into what an edit put there, all of what that replaced.
    pub(crate) fn to_base(&self, span: Span) -> Span {
        self.steps.iter().rev().fold(span, |span, step| step.mapping().to_base(span))
    }

    /// What `span` of the base is now.
    pub(crate) fn carried(&self, span: Span) -> Span {
        self.steps.iter().fold(span, |span, step| step.mapping().to_result(span))
    }

    /// Whether no edit was applied so far.
    pub(crate) fn is_base(&self) -> bool {
        self.steps.is_empty()
    }

    /// Where the last `steps` edits put text, as it stands now.
    pub(crate) fn put_lately(&self, steps: usize) -> Vec<Span> {
        let mut put: Vec<Span> = Vec::new();
        for step in &self.steps[self.steps.len().saturating_sub(steps)..] {
            let mapping = step.mapping();
            put.iter_mut().for_each(|it| *it = mapping.to_result(*it));
            put.extend(mapping.windows(0, usize::MAX));
        }
        put
    }

    /// Which of the edits applied so far was the first to change a place of the base, counted from 0.
    pub(crate) fn consumed_by(&self, place: impl FnOnce() -> Option<Span>) -> Option<usize> {
        self.steps.first()?;
        let mut span = place()?;
        for (index, step) in self.steps.iter().enumerate() {
            let replacements = step.edits.replacements();
            let next = replacements.partition_point(|it| it.span.end <= span.start);
            if replacements.get(next).is_some_and(|it| it.span.start < span.end) {
                return Some(index);
            }
            span = step.mapping().to_result(span);
        }
        None
    }

    /// Applies the next edits, which speak of the text as it is now.
    pub(crate) fn apply(&mut self, edits: EditSet) {
        if !edits.is_empty() {
            if let Some(made) = self.made.take() {
                self.stale.set(Some(made));
            }
            self.text = self.text.edited(&edits);
            self.steps.push(Step { edits, mapping: OnceCell::new() });
        }
    }

    fn made(&self) -> &Made {
        self.made.get_or_init(|| {
            let index = || self.base.made_index().cloned().map_or_else(OnceCell::new, OnceCell::from);
            let anew = || Made { text: self.base.as_str().to_owned(), index: index(), steps: 0 };
            let mut made = self.stale.take().unwrap_or_else(anew);
            for step in &self.steps[made.steps..] {
                made.apply(&step.edits);
            }
            made
        })
    }

    /// All that was done, from base to text, and the text.
    pub(crate) fn finish(self) -> (EditSet, Text) {
        let mut sets: Vec<EditSet> = self.steps.into_iter().map(|it| it.edits).collect();
        // Neighbours first, so that a large set is not gone through once an edit.
        while sets.len() > 1 {
            sets = sets.chunks(2).map(|it| it[1..].iter().fold(it[0].clone(), |a, b| a.then(b))).collect();
        }
        (sets.pop().unwrap_or_default(), self.text)
    }
}

impl Made {
    fn apply(&mut self, edits: &EditSet) {
        self.steps += 1;
        if let [one] = edits.replacements() {
            self.text.replace_range(one.span.range(), &one.text);
            steps::count(self.text.len());
            if let Some(index) = self.index.get_mut() {
                index.splice(&self.text, one.span, one.text.len());
            }
        } else {
            self.text = edits.apply(&self.text);
            self.index.take();
        }
    }
}
