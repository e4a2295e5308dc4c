//! Tier 1: nothing is ignored; any substring, mid-line too.

use memchr::memmem::Finder;

use super::occurrences::occurrences;
use super::query::{Exhausted, Query};
use crate::batch::LineEndings;
use crate::fit::{Breaks, with_endings_of};
use crate::rows::rows;
use crate::text::Span;

pub(crate) fn find(query: &Query<'_>, visit: &mut dyn FnMut(Span)) -> Result<(), Exhausted> {
    let text = query.text().as_bytes();
    let cuts_break = |at: usize| at > 0 && text[at - 1] == b'\r' && text.get(at) == Some(&b'\n');
    for start in occurrences(text, &Finder::new(query.old)) {
        let span = Span::new(start, start + query.old.len());
        if !cuts_break(span.start.0) && !cuts_break(span.end.0) {
            visit(span);
        }
    }
    Ok(())
}

pub(crate) fn fit(query: &Query<'_>, span: Span) -> Option<String> {
    Some(fit_in(query.text(), span, query.new, query.line_endings, &query.breaks))
}

/// `new` for `span` of `text`: at least the lines that hold it, with the line breaks around them.
pub(crate) fn fit_in(text: &str, span: Span, new: &str, line_endings: LineEndings, breaks: &Breaks) -> String {
    if line_endings == LineEndings::AsGiven || !new.contains(['\n', '\r']) {
        return new.to_owned();
    }
    let place: Vec<_> = rows(&text[span.range()]).collect();
    with_endings_of(&place, &place, &rows(new).collect::<Vec<_>>(), breaks.near(text, span))
}
