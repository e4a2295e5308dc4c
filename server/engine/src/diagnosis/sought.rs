//! The place of an old text that is not there as it is written: by a looser tier, or read in another way.

use crate::batch::{LineEndings, Matching};
use crate::diagnosis::readings::{Reading, readings};
use crate::matching::{Query, Strategy, TIERS, strict_tiers};
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

/// Looks `old`, which does not stand there as it is, up by every looser tier, then read in other ways by the strict ones.
pub(crate) fn seek(working: &Working<'_>, old: &str) -> Option<Sought> {
    // What the tiers 8 to 10 prove is read in another way, whether `new` proves it too or not.
    let proofs = [Strategy::LineNumbers, Strategy::Escaped, Strategy::Fenced];
    let looser = TIERS[1..].iter().filter(|it| !proofs.contains(&it.strategy));
    let otherwise = || readings(old).find_map(|(reading, text)| found(working, &text, reading, strict_tiers()));
    found(working, old, Reading::AsWritten, looser).or_else(otherwise)
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
