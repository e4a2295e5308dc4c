//! The least a plan must touch: common heads and tails trimmed, lines that a large replacement leaves alone left out, so
//! that cursors, marks and folds survive.

use crate::diff::hunks;
use crate::edit_set::{EditSet, Replacement};
use crate::joined::{CLOSE, LONG};
use crate::rows::{Row, rows};
use crate::text::Span;

/// The same set with as little as possible in it. No replacement has a common head or tail, or cuts a `\r\n` of the base.
pub(crate) fn minimal(edits: EditSet, base: &str) -> EditSet {
    let mut least: Vec<Replacement> = Vec::new();
    // One goes as the next comes, so that the text of a large set is there but once.
    for it in edits.into_replacements() {
        if holds_lines(&base[it.span.range()]) && holds_lines(&it.text) {
            let mut parts = by_lines(&it, base);
            let len = it.span.len();
            if len > LONG / 2 && parts.len() * CLOSE > len {
                // Hardly a line of it stays: it is one for the sake of the client.
                parts = vec![it];
            }
            parts.iter().filter_map(|it| trimmed(it, base)).for_each(|it| push_joined(&mut least, it));
        } else if let Some(it) = trimmed(&it, base) {
            push_joined(&mut least, it);
        }
    }
    // Two that came to be one may share a head or tail only now.
    let least = least.iter().filter_map(|it| trimmed(it, base)).collect();
    EditSet::new(least).expect("parts of disjoint replacements are disjoint")
}

/// Whether there is more than one line in `text`.
fn holds_lines(text: &str) -> bool {
    rows(text).nth(1).is_some()
}

/// One replacement for each run of lines that differs.
fn by_lines(it: &Replacement, base: &str) -> Vec<Replacement> {
    let there = &base[it.span.range()];
    let (old, new): (Vec<_>, Vec<_>) = (rows(there).collect(), rows(&it.text).collect());
    let (old_at, new_at) = (starts(&old), starts(&new));
    let part = |hunk: crate::diff::Hunk| Replacement {
        span: Span::new(it.span.start.0 + old_at[hunk.before.start], it.span.start.0 + old_at[hunk.before.end]),
        text: it.text[new_at[hunk.after.start]..new_at[hunk.after.end]].into(),
    };
    let line = |row: &Row<'_>| (row.text.to_owned(), row.line_break.to_owned());
    hunks(old.iter().map(line), new.iter().map(line)).into_iter().map(part).collect()
}

/// Where each row starts, and where the last ends.
fn starts(rows: &[Row<'_>]) -> Vec<usize> {
    let mut at = 0;
    let mut starts = vec![0];
    for row in rows {
        at += row.len();
        starts.push(at);
    }
    starts
}

/// It without common head and tail; `None` where nothing is left.
fn trimmed(it: &Replacement, base: &str) -> Option<Replacement> {
    let (there, put) = (&base[it.span.range()], &*it.text);
    // A position between `\r` and `\n` is none: the whole line break goes along.
    let mut head = common_head(there, put);
    head -= usize::from(cuts_break(base, it.span.start.0 + head));
    let mut tail = common_tail(&there[head..], &put[head..]);
    tail -= usize::from(cuts_break(base, it.span.end.0 - tail));
    let (start, end) = (it.span.start.0 + head, it.span.end.0 - tail);
    let (from, to) = (head, put.len() - tail);
    let text = if (from, to) == (0, put.len()) { it.text.clone() } else { put[from..to].into() };
    (start < end || from < to).then(|| Replacement { span: Span::new(start, end), text })
}

fn common_head(a: &str, b: &str) -> usize {
    a.floor_char_boundary(a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count())
}

fn common_tail(a: &str, b: &str) -> usize {
    let shared = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    a.len() - a.ceil_char_boundary(a.len() - shared)
}

fn cuts_break(text: &str, at: usize) -> bool {
    text.as_bytes()[..at].ends_with(b"\r") && text.as_bytes()[at..].starts_with(b"\n")
}

/// Replacements that touch are one, so that a client need not know which goes first.
fn push_joined(least: &mut Vec<Replacement>, next: Replacement) {
    match least.last_mut().filter(|last| last.span.end == next.span.start) {
        Some(last) => {
            let span = Span { start: last.span.start, end: next.span.end };
            *last = Replacement::new(span, [&*last.text, &*next.text].concat());
        }
        None => least.push(next),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(base: &str, (start, end): (usize, usize), put: &str, least: &[(usize, usize, &str)]) {
        let set = EditSet::new(vec![Replacement::new(Span::new(start, end), put)]).unwrap();
        let result = set.apply(base);
        let minimal = minimal(set, base);
        let parts: Vec<_> =
            minimal.replacements().iter().map(|it| (it.span.start.0, it.span.end.0, &*it.text)).collect();
        assert_eq!(parts, least);
        assert_eq!(minimal.apply(base), result);
    }

    #[test]
    fn only_what_differs_is_touched() {
        check("one two three", (0, 13), "one 2 three", &[(4, 7, "2")]);
        check("a\nb\nc\nd\ne\n", (0, 10), "a\nB\nc\nd\nE\n", &[(2, 3, "B"), (8, 9, "E")]);
        check("same", (0, 4), "same", &[]);
        check("aé", (0, 3), "aè", &[(1, 3, "è")]);
        check("aa", (0, 1), "aa", &[(1, 1, "a")]);
        check("x\n", (0, 2), "x\r\n", &[(1, 1, "\r")]);
        check("x\r\n", (0, 3), "x\n", &[(1, 3, "\n")]);
        check("x\r\ny", (0, 4), "x\ry", &[(1, 3, "\r")]);
        check("\r\nx\r", (0, 4), "\r", &[(0, 3, "")]);
    }
}
