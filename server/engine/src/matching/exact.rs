//! Tier 1: nothing is ignored; any substring, mid-line too.

use super::occurrences::occurrences;
use super::query::{Exhausted, Query};
use crate::batch::LineEndings;
use crate::fit::{Endings, with_endings_of};
use crate::rows::rows;
use crate::text::Span;

pub(crate) fn find(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    let text = query.text().as_bytes();
    let cuts_break = |at: usize| at > 0 && text[at - 1] == b'\r' && text.get(at) == Some(&b'\n');
    for start in occurrences(text, query.old.as_bytes()) {
        let span = Span::new(start, start + query.old.len());
        if !cuts_break(span.start.0) && !cuts_break(span.end.0) {
            visit(span);
        }
    }
    Ok(())
}

pub(crate) fn fit(query: &Query<'_>, span: Span) -> Option<String> {
    if query.line_endings == LineEndings::AsGiven || !query.new.contains(['\n', '\r']) {
        return Some(query.new.to_owned());
    }
    let place: Vec<_> = rows(&query.text()[span.range()]).collect();
    let new: Vec<_> = rows(query.new).collect();
    Some(with_endings_of(&place, query.rows(), &new, Endings::near(query.text(), span)))
}
