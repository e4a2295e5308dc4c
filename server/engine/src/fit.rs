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

    /// The line break for a line that was written with `written` and comes in place of one that ends with `there`.
    pub(crate) fn in_place_of<'a>(&'a self, written: &'a str, there: &'a str) -> &'a str {
        match (written, there) {
            ("", _) => "",
            (written, "") => self.for_written(written),
            (_, there) => there,
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
    /// The first line break inside `span`, else that of the line on which it ends, else that of the line above it.
    pub(crate) fn near<'a>(&self, text: &'a str, span: Span) -> Endings<'a> {
        match rows(&text[span.range()]).next() {
            Some(Row { line_break, .. }) if !line_break.is_empty() => Endings { nearest: Some(line_break) },
            _ => self.around(text, span),
        }
    }

    /// That of the line which `span` is part of, else that of the line above it.
    fn around<'a>(&self, text: &'a str, span: Span) -> Endings<'a> {
        let (start, end) = (span.start.0, span.end.0);
        let known = |gap: &Cell<Option<Gap>>, at: usize| gap.get().filter(|it| it.start <= at && at <= it.end);
        let next = known(&self.next, end).map_or_else(|| row_end(text, end), |it| it.end);
        self.next.set(Some(Gap { start: end, end: next }));
        if next < text.len() {
            return Endings { nearest: Some(&text[next..next + break_len(&text[next..])]) };
        }
        let above = known(&self.above, start).map_or_else(|| row_start(text, start), |it| it.start);
        self.above.set(Some(Gap { start: above, end: text.len() }));
        Endings { nearest: Some(final_break(&text[..above])).filter(|it| !it.is_empty()) }
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
        push_break(&mut fitted, endings.in_place_of(row.line_break, there));
    }
    fitted
}

/// Puts a line break behind a line. A `\n` of its own does not become one with the `\r` that ends the line above.
pub(crate) fn push_break(text: &mut String, line_break: &str) {
    text.push_str(if line_break == "\n" && text.ends_with('\r') { "\r" } else { line_break });
}

/// `new` with the nearest line break at the end of each of its lines.
pub(crate) fn with_nearest_endings(new: &str, endings: Endings<'_>) -> String {
    let mut fitted = String::with_capacity(new.len());
    for row in rows(new) {
        fitted.push_str(row.text);
        push_break(&mut fitted, endings.for_written(row.line_break));
    }
    fitted
}
