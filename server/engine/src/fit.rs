//! New text made fit for its place: line endings, indentation.

use std::cell::Cell;

use crate::rows::{Row, break_len, final_break, row_end, row_start, rows};
use crate::text::Span;

/// The line break nearest to a place, where the text has one.
#[derive(Clone, Copy)]
pub(crate) struct Endings<'a> {
    nearest: Option<&'a str>,
}

impl Endings<'_> {
    /// The line break for a line that was written with `written`.
    pub(crate) fn for_written<'a>(&'a self, written: &'a str) -> &'a str {
        match written {
            "" => "",
            _ => self.nearest.unwrap_or(written),
        }
    }
}

/// Where the line breaks around the last place asked for stand: places on one line, asked for from left to right, are
/// answered from one search.
#[derive(Default)]
pub(crate) struct Breaks {
    next: Cell<Option<Gap>>,
    above: Cell<Option<Gap>>,
}

/// A stretch of text without a line break: where it starts, and where it ends.
#[derive(Clone, Copy)]
struct Gap {
    start: usize,
    end: usize,
}

impl Breaks {
    /// The line break of the line on which `span` ends, else that of the line above it.
    pub(crate) fn near<'a>(&self, text: &'a str, span: Span) -> Endings<'a> {
        let (start, end) = (span.start.0, span.end.0);
        let known = |gap: &Cell<Option<Gap>>, at: usize| gap.get().filter(|it| it.start <= at && at <= it.end);
        let next = known(&self.next, end).map_or_else(|| row_end(text, end), |it| it.end);
        self.next.set(Some(Gap { start: end, end: next }));
        if next < text.len() {
            return Endings { nearest: Some(&text[next..next + break_len(&text[next..])]) };
        }
        let above = known(&self.above, start).map_or_else(|| row_start(text, start), |it| it.start);
        // Nothing behind the span breaks the line; where nothing inside does, it goes on to the end.
        let on_one_line = !text[span.range()].contains(['\n', '\r']);
        self.above.set(Some(Gap { start: above, end: if on_one_line { text.len() } else { start } }));
        Endings { nearest: Some(final_break(&text[..above])).filter(|it| !it.is_empty()) }
    }

    /// The first one inside `span`, else the nearest.
    pub(crate) fn inside_or_near<'a>(&self, text: &'a str, span: Span) -> Endings<'a> {
        match rows(&text[span.range()]).next() {
            Some(Row { line_break, .. }) if !line_break.is_empty() => Endings { nearest: Some(line_break) },
            _ => self.near(text, span),
        }
    }
}

/// `new` with the line breaks of the lines it replaces. `old` and `place` are the same lines, as the author wrote them and
/// as they stand there: lines that `new` shares with `old` at its head and tail take over theirs, the rest that of the line
/// they stand for.
pub(crate) fn with_endings_of(place: &[Row<'_>], old: &[Row<'_>], new: &[Row<'_>], endings: Endings<'_>) -> String {
    let same = |a: &Row<'_>, b: &Row<'_>| a.text == b.text;
    let head = old.iter().zip(new).take_while(|(a, b)| same(a, b)).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| same(a, b)).count();
    let (old_tail, new_tail) = (old.len() - tail, new.len() - tail);
    let stands_for = |index: usize| match index {
        _ if index >= new_tail => Some(index - new_tail + old_tail),
        _ if head < old_tail => Some(index.min(old_tail - 1)),
        _ if index < head => Some(index),
        _ => head.checked_sub(1),
    };
    let mut fitted = String::new();
    for (index, row) in new.iter().enumerate() {
        let there = stands_for(index).and_then(|it| place.get(it)).map_or("", |it| it.line_break);
        fitted.push_str(row.text);
        fitted.push_str(match (row.line_break, there) {
            ("", _) => "",
            (written, "") => endings.for_written(written),
            (_, there) => there,
        });
    }
    fitted
}

/// `new` with the nearest line break at the end of each of its lines.
pub(crate) fn with_nearest_endings(new: &str, endings: Endings<'_>) -> String {
    let mut fitted = String::with_capacity(new.len());
    for row in rows(new) {
        fitted.push_str(row.text);
        fitted.push_str(endings.for_written(row.line_break));
    }
    fitted
}
