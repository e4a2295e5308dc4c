//! What the tiers 8 to 10 share: texts from which something was taken off, looked up by the tiers 1 to 5.

use super::query::{Exhausted, Query};
use super::{Strategy, TIERS, Tier};
use crate::fold::{is_plain_space, is_space};
use crate::rows::row_start;
use crate::text::{Line, Span};

/// Old and new text without what was proved not to belong to them.
pub(crate) struct Stripped {
    pub(crate) old: String,
    pub(crate) new: String,
    pub(crate) starts: Starts,
}

/// Where the text that remains may start.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Starts {
    /// Anywhere, mid-line too.
    Anywhere,
    /// On a line of its own, indentation aside: what was taken off stood in front of whole lines.
    OnItsLine,
    /// The same, on this line of the base.
    On(Line),
}

impl Starts {
    fn allows(self, query: &Query<'_>, span: Span) -> bool {
        let on_its_line = || starts_its_line(query.text(), span);
        let line = || query.working.base().line_of(query.working.to_base(span).start);
        match self {
            Self::Anywhere => true,
            Self::OnItsLine => on_its_line(),
            Self::On(wanted) => on_its_line() && line() == wanted,
        }
    }
}

impl Stripped {
    /// Visits every place of the strictest tier that finds one.
    pub(crate) fn find(&self, query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
        self.tier(query, visit).map(|_| ())
    }

    /// What that tier puts into one of them.
    pub(crate) fn fit(&self, query: &Query<'_>, span: Span) -> Option<String> {
        let tier = self.tier(query, &mut |_| {}).ok()??;
        (tier.fit)(&query.of(&self.old, &self.new), span)
    }

    /// The strictest tier that finds a place, once it visited all of them.
    fn tier(&self, query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<Option<&'static Tier>, Exhausted> {
        let inner = query.of(&self.old, &self.new);
        // White space alone proves nothing, and stands everywhere.
        if inner.old.chars().all(is_space) {
            return Ok(None);
        }
        for tier in strict_tiers() {
            let mut found = false;
            (tier.find)(&inner, &mut |span| {
                if self.starts.allows(query, span) {
                    found = true;
                    visit(span);
                }
            })?;
            if found {
                return Ok(Some(tier));
            }
        }
        Ok(None)
    }
}

/// Whether nothing but indentation, or a BOM, stands in front of `span` on its line.
pub(crate) fn starts_its_line(text: &str, span: Span) -> bool {
    let front = &text[row_start(text, span.start.0)..span.start.0];
    let front = if front.len() == span.start.0 { front.strip_prefix('\u{feff}').unwrap_or(front) } else { front };
    front.chars().all(is_plain_space)
}

/// The tiers 1 to 5.
pub(crate) fn strict_tiers() -> impl Iterator<Item = &'static Tier> {
    let proofs = [Strategy::Typography, Strategy::Spacing];
    TIERS.iter().take_while(move |it| !proofs.contains(&it.strategy))
}
