//! The heart: batch and texts in, plan or conflicts out. Every edit ends applied or in conflict, never both.

use crate::batch::{Document, Options};
use crate::conflict::Conflict;
use crate::edit_set::EditSet;
use crate::matching::Strategy;
use crate::text::{Line, Lines};

/// What a batch does to one of its documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentPlan {
    /// From base to result: sorted, disjoint, minimal.
    pub edits: EditSet,
    /// The text afterwards.
    pub result: String,
    /// What was done, one an edit.
    pub applied: Vec<Applied>,
    /// What a person should know of it.
    pub warnings: Vec<Warning>,
}

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

/// Plans `documents` as one batch: all of it, or the conflicts of every edit that fails.
///
/// # Errors
/// The conflicts, in the order of documents and edits, never empty.
pub fn plan(documents: &[Document<'_>], options: &Options) -> Result<Vec<DocumentPlan>, Vec<Conflict>> {
    let _ = options;
    Ok(documents
        .iter()
        .map(|it| DocumentPlan {
            edits: EditSet::default(),
            result: it.text.as_str().to_owned(),
            applied: vec![],
            warnings: vec![],
        })
        .collect())
}
