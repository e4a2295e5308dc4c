//! New text made fit for its place: line endings, indentation.

use crate::rows::{Row, break_len, final_break, rows};
use crate::text::Span;

/// The line break nearest to a place, where the text has one.
#[derive(Clone, Copy)]
pub(crate) struct Endings<'a> {
    nearest: Option<&'a str>,
}

impl<'a> Endings<'a> {
    /// That of the line on which `span` ends, else that of the line above it.
    pub(crate) fn near(text: &'a str, span: Span) -> Self {
        let (front, behind) = (&text[..span.start.0], &text[span.end.0..]);
        let next = memchr::memchr2(b'\n', b'\r', behind.as_bytes()).map(|at| {
            let rest = &behind[at..];
            &rest[..break_len(rest)]
        });
        let above = || {
            let at = memchr::memrchr2(b'\n', b'\r', front.as_bytes())?;
            Some(final_break(&front[..=at]))
        };
        Self { nearest: next.or_else(above) }
    }

    /// The first one inside `span`, else the nearest.
    pub(crate) fn inside_or_near(text: &'a str, span: Span) -> Self {
        match rows(&text[span.range()]).next() {
            Some(Row { line_break, .. }) if !line_break.is_empty() => Self { nearest: Some(line_break) },
            _ => Self::near(text, span),
        }
    }

    /// The line break for a line that was written with `written`.
    pub(crate) fn for_written<'b>(self, written: &'b str) -> &'b str
    where
        'a: 'b,
    {
        match written {
            "" => "",
            _ => self.nearest.unwrap_or(written),
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
