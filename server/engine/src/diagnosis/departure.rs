//! Where a region first departs from what was sought: line and column, also inside a line of a megabyte.

use memchr::memmem::Finder;

use crate::conflict::{Departure, Mark};
use crate::diagnosis::region::{Needle, Region};
use crate::text::{Line, Span};
use crate::working::Working;

/// The first difference; `None` where every line is the same.
pub(crate) fn departure(working: &Working<'_>, needle: &Needle<'_>, region: &Region) -> Option<Departure> {
    let text = working.as_str();
    let first = working.line_of(region.span().start).0;
    let at = region.aligned.iter().position(|it| it.mark != Mark::Same)?;
    let it = region.aligned[at];
    let line = region.aligned[..at].iter().filter(|it| it.there.is_some()).count();
    let column = match (it.old, it.there) {
        (Some(old), Some(there)) => {
            let row = region.rows[there];
            let part = Span { start: row.start.max(region.extent.start), end: row.end.min(region.extent.end) };
            let there = &text[part.range()];
            let along = match it.mark {
                // What differs in more than white space departs where the words do.
                Mark::Changed => shared_end(needle.rows[old].body(), there),
                _ => common(needle.rows[old].text, there),
            };
            let end = part.start.0 + along;
            text[row.start.0..end].chars().count()
        }
        _ => 0,
    };
    Some(Departure { working_line: Line(first + line), column })
}

/// How many bytes both start with.
fn common(old: &str, row: &str) -> usize {
    row.floor_char_boundary(row.bytes().zip(old.bytes()).take_while(|(a, b)| a == b).count())
}

/// How far `row` goes along with `old`: where the longest beginning of `old` that stands in it ends.
fn shared_end(old: &str, row: &str) -> usize {
    // If a beginning is not there, no longer one is.
    let (mut found, mut lost) = (0, old.len() + 1);
    let mut start = 0;
    while lost - found > 1 {
        let middle = found.midpoint(lost);
        match Finder::new(&old.as_bytes()[..middle]).find(row.as_bytes()) {
            Some(at) => (found, start) = (middle, at),
            None => lost = middle,
        }
    }
    row.floor_char_boundary(start + found)
}
