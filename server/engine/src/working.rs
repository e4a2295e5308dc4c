//! The working text: the base with the edits of the batch applied so far, and its index, kept in step.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::edit_set::{EditSet, Mapping};
use crate::index::Index;
use crate::text::{Byte, Line, Span, Text};

/// The base with the edits of the batch applied so far.
pub(crate) struct Working<'a> {
    base: &'a Text,
    text: Cow<'a, str>,
    steps: Vec<Step>,
    /// The index of `text`, once it departs from the base and somebody asked for it.
    index: OnceCell<Index>,
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

impl<'a> Working<'a> {
    pub(crate) fn new(base: &'a Text) -> Self {
        Self { base, text: Cow::Borrowed(base.as_str()), steps: Vec::new(), index: OnceCell::new() }
    }

    pub(crate) fn base(&self) -> &'a Text {
        self.base
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn index(&self) -> &Index {
        if self.steps.is_empty() {
            return self.base.index();
        }
        self.index.get_or_init(|| Index::of(&self.text))
    }

    pub(crate) fn line_of(&self, offset: Byte) -> Line {
        self.index().line_of(&self.text, offset)
    }

    /// What `span` was in the base; where it cuts into what an edit put there, all of what that replaced.
    pub(crate) fn to_base(&self, span: Span) -> Span {
        self.steps.iter().rev().fold(span, |span, step| step.mapping().to_base(span))
    }

    /// What `span` of the base is now.
    pub(crate) fn from_base(&self, span: Span) -> Span {
        self.steps.iter().fold(span, |span, step| step.mapping().to_result(span))
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
        match edits.replacements() {
            [] => return,
            [one] => self.splice(one.span, &one.text),
            _ => {
                self.text = Cow::Owned(edits.apply(&self.text));
                self.index.take();
            }
        }
        self.steps.push(Step { edits, mapping: OnceCell::new() });
    }

    fn splice(&mut self, span: Span, put: &str) {
        let index = if self.steps.is_empty() { self.base.made_index().cloned() } else { self.index.take() };
        let text = self.text.to_mut();
        text.replace_range(span.range(), put);
        self.index = match index {
            Some(mut index) => {
                index.splice(text, span, put.len());
                OnceCell::from(index)
            }
            None => OnceCell::new(),
        };
    }

    /// All that was done, from base to text.
    pub(crate) fn finish(self) -> EditSet {
        let mut sets: Vec<EditSet> = self.steps.into_iter().map(|it| it.edits).collect();
        // Neighbours first, so that a large set is not gone through once an edit.
        while sets.len() > 1 {
            sets = sets.chunks(2).map(|it| it[1..].iter().fold(it[0].clone(), |a, b| a.then(b))).collect();
        }
        sets.pop().unwrap_or_default()
    }
}
