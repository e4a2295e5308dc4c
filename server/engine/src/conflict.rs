//! One failing edit with its diagnosis, as facts. Texts are made from them in `report`.

use crate::matching::Strategy;
use crate::text::{Line, Lines, Span};

/// One edit that cannot be applied, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// Which document of the batch, from 0.
    pub document: usize,
    /// Which edit of that document, from 0.
    pub edit: usize,
    /// A short name of the edit, one line: `find "const max = 1…"` or `lines 12-14`.
    pub label: String,
    /// What is wrong.
    pub kind: Kind,
    /// The region the edit most likely meant.
    pub candidate: Option<Candidate>,
    /// What is known beside that, each from evidence.
    pub hints: Vec<Hint>,
}

/// The kinds of conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `old_text` does not stand in the document.
    NotFound,
    /// `old_text` stands in more than one place of the strictest tier that finds it.
    Ambiguous {
        /// The tier that found them.
        strategy: Strategy,
        /// How many there are, overlapping ones too.
        count: usize,
        /// The first five.
        places: Vec<Place>,
    },
    /// The search was cut off: the texts repeat themselves too much to be searched in linear time.
    Repetitive,
    /// An empty `old_text` in a document that is not empty.
    EmptyOldText,
    /// Lines that the document does not have.
    OutOfRange {
        /// The lines asked for.
        lines: Lines,
        /// How many lines the document has.
        line_count: usize,
    },
    /// The lines do not hold the expected text.
    ContentMismatch {
        /// The lines asked for.
        lines: Lines,
        /// The first line that differs; one past the last asked for where the expected text goes on.
        differs: Line,
    },
    /// Another number of matches than expected.
    CountMismatch {
        /// How many the agent expected.
        expected: usize,
        /// How many there are.
        found: usize,
        /// The tier that found them.
        strategy: Strategy,
        /// The first five.
        places: Vec<Place>,
    },
    /// The edit touches what another edit of the batch changes.
    Overlap {
        /// That other edit, from 0.
        with: usize,
    },
    /// Line edits and find/replace edits in one document.
    MixedKinds {
        /// An edit of the other kind, from 0.
        with: usize,
    },
    /// The match is the whole document, which the batch forbids.
    WholeDocument,
    /// `new_text` leaves out code that it would delete.
    Placeholder {
        /// The line of `new_text` that does so, from 0.
        line: Line,
    },
    /// The result would be larger than the limit.
    OutputLimit {
        /// The limit in bytes.
        limit: usize,
    },
}

impl Kind {
    /// Its name in the protocol.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotFound => "not-found",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Repetitive => "repetitive",
            Self::EmptyOldText => "empty-old-text",
            Self::OutOfRange { .. } => "out-of-range",
            Self::ContentMismatch { .. } => "content-mismatch",
            Self::CountMismatch { .. } => "count-mismatch",
            Self::Overlap { .. } => "overlap",
            Self::MixedKinds { .. } => "mixed-kinds",
            Self::WholeDocument => "whole-document",
            Self::Placeholder { .. } => "placeholder",
            Self::OutputLimit { .. } => "output-limit",
        }
    }

    /// The places it speaks of, at most five.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        match self {
            Self::Ambiguous { places, .. } | Self::CountMismatch { places, .. } => places,
            _ => &[],
        }
    }
}

/// One place where an edit would match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where it stands in the base; where earlier edits wrote the text, the region they replaced.
    pub base: Span,
    /// The line of the working text it starts on.
    pub working_line: Line,
}

/// The region a failing edit most likely meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its lines in the base, the last one without its line break.
    pub base: Span,
    /// The line of the working text it starts on.
    pub working_line: Line,
    /// How alike it is to `old_text`, 0 to 1: the share of both texts' pairs of neighbouring characters that lines which
    /// belong together have in common, white space and letter case aside. Of a line that `old_text` speaks of in part, only
    /// that part counts.
    pub similarity: f32,
    /// `old_text` and the region, aligned.
    pub lines: Vec<CandidateLine>,
    /// Where the region first departs from `old_text`.
    pub departs: Option<Departure>,
}

/// Where a candidate first departs from `old_text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The line of the working text.
    pub working_line: Line,
    /// The column in that line, in characters from 0.
    pub column: usize,
}

/// One line of an alignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateLine {
    /// How it compares.
    pub mark: Mark,
    /// The document's line, or for a missing one that of `old_text`; without its line break, and of a line longer than
    /// [`CandidateLine::LIMIT`] only the part around the first difference.
    pub text: String,
}

impl CandidateLine {
    /// How many characters of a line are given.
    pub const LIMIT: usize = 400;
}

/// How a line of a candidate compares with `old_text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The same.
    Same,
    /// The same but for white space.
    Whitespace,
    /// Another text.
    Changed,
    /// In `old_text` only.
    Missing,
    /// In the document only.
    Extra,
}

impl Mark {
    /// Its name in the protocol.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Whitespace => "whitespace",
            Self::Changed => "changed",
            Self::Missing => "missing",
            Self::Extra => "extra",
        }
    }
}

/// Something known of a failing edit. Lines are those of the working text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A looser matching would find it.
    Whitespace {
        /// Where it starts.
        line: Line,
        /// The tier that finds it.
        strategy: Strategy,
    },
    /// Only CRLF and LF differ.
    LineEndings {
        /// Where it starts.
        line: Line,
    },
    /// Only typographic characters differ.
    Typography {
        /// Where it starts.
        line: Line,
    },
    /// `old_text` leaves text out.
    Elision,
    /// `old_text` carries line-number prefixes.
    LineNumbers,
    /// `old_text` is escaped once too often.
    Escapes {
        /// Where the unescaped text starts.
        line: Line,
    },
    /// Only upper and lower case differ.
    Case {
        /// Where it starts.
        line: Line,
    },
    /// `old_text` holds merge, diff or SEARCH/REPLACE markers, or a code fence.
    Markers,
    /// The first line of `old_text` stands here, what follows differs.
    FirstLine {
        /// Where, the first five.
        lines: Vec<Line>,
    },
    /// The most similar line.
    ClosestLine {
        /// Where.
        line: Line,
        /// What it holds.
        text: String,
    },
    /// `new_text` already stands where `old_text` would be.
    AlreadyApplied {
        /// Where it starts.
        line: Line,
    },
    /// `old_text` stood in the base, but an earlier edit replaced it.
    Consumed {
        /// That edit, from 0.
        edit: usize,
    },
    /// `old_text` would exist had an earlier edit, which failed, been applied.
    DependsOn {
        /// That edit, from 0.
        edit: usize,
    },
    /// `old_text` stands, unique, in another document.
    Elsewhere {
        /// How that document is named.
        name: String,
        /// Which, from 0.
        document: usize,
        /// Where it starts.
        line: Line,
    },
}

impl Hint {
    /// Its name in the protocol.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Whitespace { .. } => "whitespace",
            Self::LineEndings { .. } => "line-endings",
            Self::Typography { .. } => "typography",
            Self::Elision => "elision",
            Self::LineNumbers => "line-numbers",
            Self::Escapes { .. } => "escapes",
            Self::Case { .. } => "case",
            Self::Markers => "markers",
            Self::FirstLine { .. } => "first-line",
            Self::ClosestLine { .. } => "closest-line",
            Self::AlreadyApplied { .. } => "already-applied",
            Self::Consumed { .. } => "consumed",
            Self::DependsOn { .. } => "depends-on",
            Self::Elsewhere { .. } => "elsewhere",
        }
    }

    /// The lines of the working text it speaks of.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        match self {
            Self::Whitespace { line, .. }
            | Self::LineEndings { line }
            | Self::Typography { line }
            | Self::Escapes { line }
            | Self::Case { line }
            | Self::ClosestLine { line, .. }
            | Self::AlreadyApplied { line }
            | Self::Elsewhere { line, .. } => std::slice::from_ref(line),
            Self::FirstLine { lines } => lines,
            Self::Elision | Self::LineNumbers | Self::Markers | Self::Consumed { .. } | Self::DependsOn { .. } => &[],
        }
    }
}
