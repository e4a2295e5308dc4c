//! What an agent asks for: ordered edits for one or more documents, accepted or refused as a whole.

use crate::text::{Line, Text};

/// One document of a batch: its identity, the text the edits are for, and the edits in order.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// How the report names it.
    pub name: &'a str,
    /// The base: its text before the batch.
    pub text: &'a Text,
    /// The edits, in the order the agent gave them.
    pub edits: &'a [Edit],
}

/// One edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Find this text, put that.
    FindReplace(FindReplace),
    /// Replace these lines.
    LineReplace(LineReplace),
    /// Insert before a line.
    LineInsert(LineInsert),
}

/// Find `old_text`, put `new_text`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindReplace {
    /// What stands in the document, as the agent remembers it.
    pub old_text: String,
    /// What is to stand there. Never a template.
    pub new_text: String,
    /// Replace every match, the leftmost non-overlapping ones, instead of requiring a single one.
    pub replace_all: bool,
    /// How many matches the agent expects.
    pub expected_occurrences: Option<usize>,
    /// Among several matches, take the one that starts on this line of the base.
    pub at_line: Option<Line>,
}

/// Replace the lines `from..=to` of the base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineReplace {
    /// The first line.
    pub from: Line,
    /// The last line, inclusive.
    pub to: Line,
    /// What is to stand there; empty deletes the lines.
    pub new_text: String,
    /// What must stand there now, line endings and trailing white space aside.
    pub expected_text: Option<String>,
}

/// Insert before line `from` of the base; the number of lines appends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineInsert {
    /// The line to insert before.
    pub from: Line,
    /// What is to stand there.
    pub new_text: String,
}

/// How far a match may depart from `old_text`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Matching {
    /// Not at all.
    #[default]
    Exact,
    /// In white space only: tiers 1 to 4.
    Tolerant,
    /// In any representation that can be proved: all tiers.
    Lenient,
}

/// Which text the `old_text` of an edit is looked up in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchoring {
    /// The text the earlier edits of the batch left.
    #[default]
    Sequential,
    /// The base, whatever the other edits do.
    Original,
}

/// Which line endings inserted text has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineEndings {
    /// Those of the place it goes to.
    #[default]
    Document,
    /// Its own, byte for byte, where the match is exact.
    AsGiven,
}

/// What holds for the whole batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How far a match may depart from `old_text`.
    pub matching: Matching,
    /// Which text `old_text` is looked up in.
    pub anchoring: Anchoring,
    /// Which line endings inserted text has.
    pub line_endings: LineEndings,
    /// Refuse an edit whose match is the whole document.
    pub partial_only: bool,
    /// Accept a `new_text` that pretends to keep code it leaves out.
    pub allow_placeholders: bool,
    /// The largest result of one document, in bytes.
    pub output_limit: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            matching: Matching::Exact,
            anchoring: Anchoring::Sequential,
            line_endings: LineEndings::Document,
            partial_only: false,
            allow_placeholders: false,
            output_limit: 128 << 20,
        }
    }
}
