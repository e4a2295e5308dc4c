//! A batch as it was read: plain structs, every one with its place in the text.

use serde_json::Value;

use crate::place::Place;

/// What a text asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// How it is written.
    pub format: Format,
    /// At least one, each name once, in the order of the text.
    pub documents: Vec<Document>,
    /// The whole `AgentEditParams`, untouched, where the text is written so. `documents` then say what stands where.
    pub params: Option<Value>,
}

/// A way to write batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The parameters of `workspace/agentEdit`.
    Params,
    /// Calls of editing tools as JSON.
    Calls,
    /// SEARCH/REPLACE blocks.
    Blocks,
    /// `*** Begin Patch` … `*** End Patch`.
    Envelope,
    /// Unified diff, Git's or plain.
    Unified,
}

impl Format {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Params => "AgentEditParams JSON",
            Self::Calls => "tool calls as JSON",
            Self::Blocks => "SEARCH/REPLACE blocks",
            Self::Envelope => "a *** Begin Patch envelope",
            Self::Unified => "a unified diff",
        }
    }

    /// Whether each edit speaks of the text before the batch, instead of what the edits before it left.
    pub fn speaks_of_the_base(self) -> bool {
        matches!(self, Self::Envelope | Self::Unified)
    }
}

/// What happens to one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Its path or URI as written.
    pub name: String,
    /// What happens.
    pub change: Change,
    /// Where the text first speaks of it.
    pub place: Place,
}

/// A change of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Edits in order, at least one.
    Edit(Vec<Edit>),
    /// It is to be there with this content.
    Create {
        /// All of it.
        content: String,
        /// What may be there already.
        over: Over,
    },
    /// It is to be gone.
    Delete {
        /// What it holds, as far as the text says so.
        expected: Option<String>,
    },
    /// It is to have another name.
    Rename {
        /// The new path or URI as written.
        to: String,
        /// What changes in it besides.
        edits: Vec<Edit>,
    },
}

/// What may be there where a document is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// No document.
    Nothing,
    /// No document, or an empty one.
    Empty,
    /// Any document: it is written over.
    Anything,
}

/// One edit and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What it does.
    pub kind: EditKind,
    /// All of it, in the text that was read.
    pub place: Place,
}

/// What an edit does. Lines count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditKind {
    /// Find a text, put another.
    Replace(Replace),
    /// Put a text in place of the lines `from..=to`.
    Lines {
        /// The first line.
        from: usize,
        /// The last line.
        to: usize,
        /// What is to stand there.
        new_text: String,
        /// What stands there now.
        expected_text: Option<String>,
    },
    /// Insert before a line; the number of lines appends.
    Insert {
        /// The line.
        from: usize,
        /// What is to stand there.
        new_text: String,
    },
}

/// Find `old_text`, put `new_text`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replace {
    /// What stands in the document, line breaks as written.
    pub old_text: String,
    /// What is to stand there.
    pub new_text: String,
    /// Every place instead of the only one.
    pub replace_all: bool,
    /// How many places the author expects.
    pub expected_occurrences: Option<usize>,
    /// What the text says of the place besides: see [`crate::settle`].
    pub hints: Hints,
}

/// What narrows the place of an edit, and never makes one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Both texts are whole lines: the old one never stands inside of a line.
    pub whole_lines: bool,
    /// The line on which it starts, from 0.
    pub at_line: Option<usize>,
    /// Lines that stand above it, the outermost first: its class, its function.
    pub narrow: Vec<String>,
    /// It is the end of the document.
    pub at_end: bool,
}
