//! What was done: the description that goes with a plan.

use crate::matching::Strategy;
use crate::text::{Line, Lines};

/// What was done for one edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied {
    /// What it did.
    pub change: Change,
    /// Whether it changed nothing.
    pub no_change: bool,
    /// The tier that matched.
    pub strategy: Strategy,
    /// How many places it changed.
    pub occurrences: usize,
}

/// What one edit did. Lengths are bytes of UTF-8, lines count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A find/replace.
    FindReplace {
        /// The line of the text it was looked up in that the first match starts on.
        line: Line,
        /// The length of `old_text`.
        find_length: usize,
        /// The length of all that was replaced.
        replaced_length: usize,
        /// The length of all that was put there.
        content_length: usize,
    },
    /// A line replace.
    Replace {
        /// The lines of the base.
        lines: Lines,
        /// How many lines were taken out.
        removed_lines: usize,
        /// How many were put there.
        inserted_lines: usize,
    },
    /// A line insert.
    Insert {
        /// The line of the base inserted before.
        from: Line,
        /// How many lines were put there.
        inserted_lines: usize,
    },
}

/// Something a person should know of an edit that was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Which edit of the document, from 0.
    pub edit: usize,
    /// What it is.
    pub kind: WarningKind,
}

/// The kinds of warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningKind {
    /// An emptied line stays behind.
    EmptyLineLeft,
    /// `new_text` brings in bidirectional control characters.
    BidiControl,
    /// `new_text` brings in characters that cannot be seen.
    InvisibleCharacters,
    /// Tabs and spaces are mixed in the indentation of one block.
    MixedIndentation,
    /// The same edit stands in the batch twice.
    DuplicateEdit,
}

impl WarningKind {
    /// Its name in the protocol.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::EmptyLineLeft => "empty-line-left",
            Self::BidiControl => "bidi-control",
            Self::InvisibleCharacters => "invisible-characters",
            Self::MixedIndentation => "mixed-indentation",
            Self::DuplicateEdit => "duplicate-edit",
        }
    }

    /// It in one sentence.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Self::EmptyLineLeft => "the line this edit emptied stays behind as a blank line",
            Self::BidiControl => {
                "newText brings in bidirectional control characters: the code can read other than it runs"
            }
            Self::InvisibleCharacters => "newText brings in characters that cannot be seen",
            Self::MixedIndentation => "tabs and spaces are mixed in the indentation",
            Self::DuplicateEdit => "the same edit stands in this batch twice",
        }
    }
}
