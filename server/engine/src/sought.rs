//! What an agent may have meant by an old text that is not there: the same one by a looser tier, unescaped, without the
//! prefixes of a listing or a diff.

use crate::batch::{LineEndings, Matching};
use crate::matching::{Query, Strategy, TIERS, strict_tiers, unescaped, unnumbered};
use crate::rows::rows;
use crate::text::Span;
use crate::working::Working;

/// A place that was found after all.
pub(crate) struct Sought {
    /// What was sought there.
    pub(crate) text: String,
    pub(crate) reading: Reading,
    /// The tier that found it.
    pub(crate) strategy: Strategy,
    pub(crate) first: Span,
    /// How many places there are.
    pub(crate) count: usize,
}

/// How the old text was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    AsWritten,
    Unescaped,
    Unnumbered,
    /// Without the first character of each line, as in a diff.
    Diff,
}

/// Looks `old`, which does not stand there as it is, up by every looser tier, then read in other ways by the strict ones.
pub(crate) fn seek(working: &Working<'_>, old: &str) -> Option<Sought> {
    let as_written = found(working, old, Reading::AsWritten, TIERS[1..].iter());
    let unescaped = || unescaped(old).find_map(|it| found(working, &it, Reading::Unescaped, strict_tiers()));
    let unnumbered = || found(working, &unnumbered(old)?, Reading::Unnumbered, strict_tiers());
    let diff = || found(working, &before_diff(old)?, Reading::Diff, strict_tiers());
    as_written.or_else(unescaped).or_else(unnumbered).or_else(diff)
}

/// Looks `old` up by every tier, strict to loose.
pub(crate) fn seek_by_all(working: &Working<'_>, old: &str) -> Option<Sought> {
    found(working, old, Reading::AsWritten, TIERS.iter())
}

/// Whether `text` stands in `working` by the tiers 1 to 5: how often, and the first place.
pub(crate) fn stands(working: &Working<'_>, text: &str) -> Option<Sought> {
    found(working, text, Reading::AsWritten, strict_tiers())
}

fn found(
    working: &Working<'_>,
    text: &str,
    reading: Reading,
    mut tiers: impl Iterator<Item = &'static crate::matching::Tier>,
) -> Option<Sought> {
    if text.trim().is_empty() {
        return None;
    }
    let query = Query::new(working, (text, text), Matching::Lenient, LineEndings::Document);
    tiers.find_map(|tier| {
        let found = tier.look(&query, None).ok()?;
        let first = *found.first.first()?;
        Some(Sought { text: text.to_owned(), reading, strategy: tier.strategy, first, count: found.count })
    })
}

/// What stood there before a diff: lines with ` ` and `-` in front, without it. `None` where it is none.
fn before_diff(old: &str) -> Option<String> {
    let body = || rows(old).filter(|it| !it.text.starts_with("@@") && !it.text.is_empty());
    let is_diff =
        body().all(|it| it.text.starts_with([' ', '-', '+'])) && body().any(|it| it.text.starts_with(['-', '+']));
    let kept = body().filter(|it| !it.text.starts_with('+'));
    is_diff.then(|| kept.flat_map(|it| [&it.text[1..], it.line_break]).collect())
}
