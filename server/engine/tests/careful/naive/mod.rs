//! A naive reading of the specification: every tier as a few loops over every place, quadratic and obvious.
//! Written from the specification alone; where that leaves a choice, a reading says so instead of taking one.

mod folded;
mod mapped;
mod proofs;
mod text;
mod tokens;
mod whole_lines;

use std::ops::Range;

use agent_edit_engine::{Matching, Strategy};

pub(crate) use text::{Line, breaks, lines, same_breaks, tokens as words};

/// What is looked for, and under which matching.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    pub(crate) matching: Matching,
}

/// One place that satisfies a tier.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// In bytes of the document.
    pub(crate) span: Range<usize>,
    /// Whether every reading of the specification finds it.
    pub(crate) certain: bool,
    pub(crate) becomes: Becomes,
}

/// What stands in the place afterwards.
#[derive(Clone, Debug)]
pub(crate) enum Becomes {
    /// This, line endings aside.
    Exactly(String),
    /// These lines, blank ones aside.
    Lines(Vec<LineLike>),
    /// Each of these what it becomes; what stands between them stays.
    Pieces(Vec<Place>),
    /// The specification leaves it open.
    Open,
    /// The tier cannot tell: it does not match.
    Nothing,
}

/// A line of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LineLike {
    /// These bytes.
    Bytes(String),
    /// These words after this indentation, where it is known.
    Words { indent: Option<String>, words: Vec<String> },
}

/// One tier: all places of a document that satisfy it.
pub(crate) type Look = fn(&str, Wanted<'_>) -> Vec<Place>;

/// A tier: its name, the least tolerant matching that uses it, and what it finds.
pub(crate) type Tier = (Strategy, Matching, Look);

/// Tiers 1 to 5, in the order of trial.
const STRICT: &[Tier] = &[
    (Strategy::Exact, Matching::Exact, exact),
    (Strategy::LineTrimmed, Matching::Tolerant, whole_lines::trimmed),
    (Strategy::IndentationFlexible, Matching::Tolerant, whole_lines::shifted),
    (Strategy::WhitespaceMapped, Matching::Lenient, mapped::mapped),
    (Strategy::WhitespaceNormalized, Matching::Tolerant, tokens::normalized),
];

/// Tiers 6 to 11.
const LOOSE: &[Tier] = &[
    (Strategy::Typography, Matching::Lenient, folded::typography),
    (Strategy::Spacing, Matching::Lenient, folded::spacing),
    (Strategy::LineNumbers, Matching::Lenient, proofs::numbered),
    (Strategy::Escaped, Matching::Lenient, proofs::escaped),
    (Strategy::Fenced, Matching::Lenient, proofs::fenced),
    (Strategy::Elided, Matching::Lenient, proofs::elided),
];

/// The tiers that `matching` uses, in the order of trial.
pub(crate) fn tiers(matching: Matching) -> impl Iterator<Item = &'static Tier> {
    STRICT.iter().chain(LOOSE).filter(move |it| it.1 <= matching)
}

/// Tier 1: any substring that cuts no `\r\n`.
fn exact(document: &str, wanted: Wanted<'_>) -> Vec<Place> {
    let cuts = |at: usize| document[..at].ends_with('\r') && document[at..].starts_with('\n');
    let starts = document.char_indices().map(|(at, _)| at).filter(|&at| document[at..].starts_with(wanted.old));
    let spans = starts.map(|at| at..at + wanted.old.len()).filter(|it| !cuts(it.start) && !cuts(it.end));
    let becomes = Becomes::Exactly(same_breaks(wanted.new));
    spans.map(|span| Place { span, certain: true, becomes: becomes.clone() }).collect()
}
