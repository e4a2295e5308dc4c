//! What the tiers 8 to 10 share: texts from which something was taken off, looked up by the tiers 1 to 5.

use super::query::{Exhausted, Query};
use super::{Strategy, TIERS, Tier};
use crate::text::Span;

/// Old and new text without what was proved not to belong to them.
pub(crate) struct Stripped {
    pub(crate) old: String,
    pub(crate) new: String,
}

impl Stripped {
    /// Visits every place of the strictest tier that finds one.
    pub(crate) fn find(&self, query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
        let inner = query.of(&self.old, &self.new);
        for tier in strict_tiers() {
            let mut found = false;
            (tier.find)(&inner, &mut |span| {
                found = true;
                visit(span);
            })?;
            if found {
                break;
            }
        }
        Ok(())
    }

    /// What that tier puts into one of them.
    pub(crate) fn fit(&self, query: &Query<'_>, span: Span) -> Option<String> {
        let inner = query.of(&self.old, &self.new);
        let finds = |tier: &&Tier| {
            let mut found = false;
            (tier.find)(&inner, &mut |_| found = true).is_ok() && found
        };
        let tier = strict_tiers().find(finds)?;
        (tier.fit)(&inner, span)
    }
}

/// The tiers 1 to 5.
pub(crate) fn strict_tiers() -> impl Iterator<Item = &'static Tier> {
    let proofs = [Strategy::Typography, Strategy::Spacing];
    TIERS.iter().take_while(move |it| !proofs.contains(&it.strategy))
}
