//! Tier 11: a middle that both texts leave out with an elision line. Each piece goes by itself, the middle stays.

use super::query::{Exhausted, Query};
use super::stripped::{starts_its_line, strict_tiers};
use crate::fold::is_plain_space;
use crate::placeholder::is_elision;
use crate::rows::{row_end, rows};
use crate::text::Span;

pub(crate) fn find(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    if let Some(placed) = placed(query)? {
        visit(Span { start: placed[0].0.start, end: placed[placed.len() - 1].0.end });
    }
    Ok(())
}

pub(crate) fn fit(query: &Query<'_>, span: Span) -> Option<String> {
    let text = query.text();
    let mut out = String::new();
    let mut at = span.start.0;
    for (place, put) in placed(query).ok()?? {
        out.push_str(&text[at..place.start.0]);
        out.push_str(&put);
        at = place.end.0;
    }
    Some(out)
}

/// The place of each piece and what is put there; `None` where one is not unique, out of order, or has no counterpart.
fn placed(query: &Query<'_>) -> Result<Option<Vec<(Span, String)>>, Exhausted> {
    let (old, new) = (pieces(query.old), pieces(query.new));
    if old.len() < 2 || old.len() != new.len() {
        return Ok(None);
    }
    let mut places: Vec<(Span, String)> = Vec::new();
    for (old, new) in old.iter().zip(&new) {
        if is_blank(old) {
            // Nothing says where an insertion beside left-out text would go.
            if !is_blank(new) {
                return Ok(None);
            }
            continue;
        }
        let Some((span, put)) = unique(query, old, new)? else { return Ok(None) };
        let text = query.text();
        // What is left out are lines, so what is quoted are lines too.
        let whole_start = starts_its_line(text, span);
        let ends_row = text[span.range()].ends_with(['\n', '\r']);
        let whole_end = ends_row || is_blank(&text[span.end.0..row_end(text, span.end.0)]);
        let in_order = places.last().is_none_or(|(before, _)| before.end <= span.start);
        if !(whole_start && whole_end && in_order) {
            return Ok(None);
        }
        places.push((span, put));
    }
    Ok(Some(places).filter(|it| !it.is_empty()))
}

/// The one place of a piece by the tiers 1 to 5.
fn unique(query: &Query<'_>, old: &str, new: &str) -> Result<Option<(Span, String)>, Exhausted> {
    let inner = query.of(old, new);
    if is_blank(inner.old) {
        return Ok(None);
    }
    for tier in strict_tiers() {
        let found = tier.look(&inner, None)?;
        match (found.count, found.first.first()) {
            (0, _) => {}
            (1, Some(span)) => return Ok((tier.fit)(&inner, *span).map(|put| (*span, put))),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// What stands between elision lines.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    for row in rows(text) {
        let end = at + row.len();
        if is_elision(row.text) {
            pieces.push(&text[start..at]);
            start = end;
        }
        at = end;
    }
    pieces.push(&text[start..]);
    pieces
}

fn is_blank(text: &str) -> bool {
    text.chars().all(is_plain_space)
}
