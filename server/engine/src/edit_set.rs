//! Replacements in one text. Invariant: sorted and disjoint.

use crate::text::Span;

/// One replacement in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// What is replaced.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

/// Replacements in one text, sorted and disjoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditSet {
    replacements: Vec<Replacement>,
}

/// A replacement that starts before the one in front of it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap;

impl EditSet {
    /// Replacements given in order.
    ///
    /// # Errors
    /// [`Overlap`] where one starts before the one in front of it ends.
    pub fn new(replacements: Vec<Replacement>) -> Result<Self, Overlap> {
        match replacements.is_sorted_by(|a, b| a.span.end <= b.span.start) {
            true => Ok(Self { replacements }),
            false => Err(Overlap),
        }
    }

    /// The replacements, sorted and disjoint.
    #[must_use]
    pub fn replacements(&self) -> &[Replacement] {
        &self.replacements
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.replacements.is_empty()
    }

    /// `base` with every replacement made.
    #[must_use]
    pub fn apply(&self, base: &str) -> String {
        let mut result = String::with_capacity(self.result_len(base.len()));
        let mut done = 0;
        for Replacement { span, text } in &self.replacements {
            result.push_str(&base[done..span.start.0]);
            result.push_str(text);
            done = span.end.0;
        }
        result.push_str(&base[done..]);
        result
    }

    /// How long a text of `base_len` bytes becomes, in bytes.
    #[must_use]
    pub fn result_len(&self, base_len: usize) -> usize {
        self.replacements.iter().fold(base_len, |len, it| len - it.span.len() + it.text.len())
    }
}
