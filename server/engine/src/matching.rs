//! The tiers as a table, strict to loose. Adding one is one file and one line.

mod elided;
mod escaped;
mod exact;
mod fenced;
mod line_numbers;
mod line_windows;
mod mapped;
mod occurrences;
mod query;
mod stripped;
mod whitespace;
mod windows;

pub(crate) use escaped::unescaped;
pub(crate) use exact::fit_in as fit_exact;
pub(crate) use fenced::unfenced;
pub(crate) use line_numbers::unnumbered;
pub(crate) use occurrences::occurrences;
pub(crate) use query::{Exhausted, Query};
pub(crate) use stripped::{Stripped, strict_tiers};

use crate::batch::Matching;
use crate::text::{Byte, Span};

/// One way of comparing `old_text` with the document, strict to loose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Nothing is ignored.
    Exact,
    /// Not searched for: the agent named the lines.
    Lines,
    /// White space at line ends, CRLF vs LF.
    LineTrimmed,
    /// A uniform shift of the whole block.
    IndentationFlexible,
    /// Any white-space run between whole tokens.
    WhitespaceNormalized,
    /// Line by line, how much white space stands in front, inside and behind; blank lines.
    WhitespaceMapped,
    /// Quotes, dashes, spaces, composed letters.
    Typography,
    /// White space there or not beside punctuation.
    Spacing,
    /// Line-number prefixes.
    LineNumbers,
    /// One level of escaping.
    Escaped,
    /// A code fence around both texts.
    Fenced,
    /// A middle that both texts leave out.
    Elided,
}

impl Strategy {
    /// Its name in the protocol.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Lines => "lines",
            Self::LineTrimmed => "line-trimmed",
            Self::IndentationFlexible => "indentation-flexible",
            Self::WhitespaceNormalized => "whitespace-normalized",
            Self::WhitespaceMapped => "whitespace-mapped",
            Self::Typography => "typography",
            Self::Spacing => "spacing",
            Self::LineNumbers => "line-numbers",
            Self::Escaped => "escaped",
            Self::Fenced => "fenced",
            Self::Elided => "elided",
        }
    }
}

type Find = fn(&Query<'_>, &mut dyn FnMut(Span)) -> Result<(), Exhausted>;

/// One tier.
pub(crate) struct Tier {
    pub(crate) strategy: Strategy,
    /// The least tolerant matching that uses it.
    pub(crate) least: Matching,
    /// Visits every place that matches, from left to right, overlapping ones too.
    find: Find,
    /// What is to stand in such a place; `None` where that cannot be told.
    pub(crate) fit: fn(&Query<'_>, Span) -> Option<String>,
}

/// In the order of trial. White space mapped line by line comes before white space normalized over line breaks: it is the
/// stricter of the two, and can carry the indentation over.
pub(crate) const TIERS: &[Tier] = &[
    Tier { strategy: Strategy::Exact, least: Matching::Exact, find: exact::find, fit: exact::fit },
    Tier {
        strategy: Strategy::LineTrimmed,
        least: Matching::Tolerant,
        find: line_windows::find_trimmed,
        fit: line_windows::fit,
    },
    Tier {
        strategy: Strategy::IndentationFlexible,
        least: Matching::Tolerant,
        find: line_windows::find_shifted,
        fit: line_windows::fit,
    },
    Tier {
        strategy: Strategy::WhitespaceMapped,
        least: Matching::Lenient,
        find: mapped::find_mapped,
        fit: mapped::fit_mapped,
    },
    Tier {
        strategy: Strategy::WhitespaceNormalized,
        least: Matching::Tolerant,
        find: whitespace::find,
        fit: whitespace::fit,
    },
    Tier {
        strategy: Strategy::Typography,
        least: Matching::Lenient,
        find: mapped::find_typography,
        fit: mapped::fit_typography,
    },
    Tier {
        strategy: Strategy::Spacing,
        least: Matching::Lenient,
        find: mapped::find_spacing,
        fit: mapped::fit_spacing,
    },
    Tier {
        strategy: Strategy::LineNumbers,
        least: Matching::Lenient,
        find: line_numbers::find,
        fit: line_numbers::fit,
    },
    Tier { strategy: Strategy::Escaped, least: Matching::Lenient, find: escaped::find, fit: escaped::fit },
    Tier { strategy: Strategy::Fenced, least: Matching::Lenient, find: fenced::find, fit: fenced::fit },
    Tier { strategy: Strategy::Elided, least: Matching::Lenient, find: elided::find, fit: elided::fit },
];

/// Both texts less what the tiers 8 to 10 prove not to belong to them, each way that holds.
pub(crate) fn proved(old: &str, new: &str) -> impl Iterator<Item = Stripped> {
    let ways = [line_numbers::stripped(old, new), escaped::first_stripped(old, new), fenced::stripped(old, new)];
    ways.into_iter().flatten()
}

/// What a tier found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// How many places, overlapping ones too.
    pub(crate) count: usize,
    /// The first five.
    pub(crate) first: Vec<Span>,
    /// How many `replace_all` takes: the leftmost ones that do not overlap.
    pub(crate) disjoint: usize,
    /// Those that start in the window asked for: how many, and the first.
    pub(crate) inside: (usize, Option<Span>),
}

impl Tier {
    /// Looks everywhere. `window` is the place asked for by `at_line`.
    pub(crate) fn look(&self, query: &Query<'_>, window: Option<Span>) -> Result<Found, Exhausted> {
        let mut found = Found::default();
        let mut taken = Byte(0);
        (self.find)(query, &mut |span| {
            found.count += 1;
            if found.first.len() < 5 {
                found.first.push(span);
            }
            if taken <= span.start {
                found.disjoint += 1;
                taken = span.end;
            }
            if window.is_some_and(|it| it.start <= span.start && span.start < it.end) {
                found.inside = (found.inside.0 + 1, found.inside.1.or(Some(span)));
            }
        })?;
        Ok(found)
    }

    /// Visits the places that `replace_all` takes.
    pub(crate) fn each_disjoint(&self, query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
        let mut taken = Byte(0);
        (self.find)(query, &mut |span| {
            if taken <= span.start {
                visit(span);
                taken = span.end;
            }
        })
    }
}
