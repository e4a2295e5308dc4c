//! Taking a change back in a text that may have changed since: only where every line it touched still stands, and there is
//! no doubt which lines those are.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agent_edit_engine::{Byte, EditSet, Line, Replacement, Span, Text};
use memchr::memmem;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::apply::Change;
use crate::snapshot::Seen;

/// What takes all of `changes` back in `now`, the last first, or why that cannot be: all of them or none. A comparison that
/// takes longer than `patience` is coarser: less is found to stand, nothing is found wrongly.
pub(crate) fn revert(changes: &[Arc<Change>], now: &Seen, patience: Duration) -> Result<Change, String> {
    let mut back = Change { seen: now.clone(), edits: EditSet::default(), result: now.text.clone() };
    for change in changes {
        let edits = taken_back(change, &back.result, patience)?;
        back.result = Text::new(&edits.apply(back.result.as_str()));
        back.edits = back.edits.then(&edits);
    }
    Ok(back)
}

fn taken_back(change: &Change, now: &Text, patience: Duration) -> Result<EditSet, String> {
    let places = places(change, now, patience)?;
    let back = change.edits.replacements().iter().zip(places).map(|(it, place)| {
        let was = change.seen.text.slice(it.span).expect("a replacement stands between characters of its base");
        Replacement::new(place, was)
    });
    EditSet::new(back.collect()).map_err(|_| "its changes no longer stand apart".to_owned())
}

/// Where what `change` put into its document stands in `now`, each piece; or why that cannot be told.
pub(crate) fn places(change: &Change, now: &Text, patience: Duration) -> Result<Vec<Span>, String> {
    let result = &change.result;
    let put = put(&change.edits);
    if result == now {
        return Ok(put);
    }
    let (were, are) = (lines(result), lines(now));
    let deadline = Instant::now() + patience;
    let shared = capture_diff_slices_deadline(Algorithm::Myers, &were, &are, Some(deadline));
    let mut runs = shared.iter().filter_map(equal).map(|(from, to)| Run { from, to, is_one: None }).collect::<Vec<_>>();
    let place = |span: Span| {
        let touched = touched(result, span);
        let line = touched.start + 1;
        let run = runs.iter_mut().find(|it| it.from.start <= touched.start && touched.end <= it.from.end);
        let Some(run) = run else { return Err(format!("line {line} of what it made has changed since")) };
        // Lines that stand there twice, before or now, may be the others.
        if !run.is_one(result, now) {
            return Err(format!("line {line} of what it made cannot be told from others like it"));
        }
        let from = |text: &Text, line: usize| text.line_start(Line(line)).0;
        let (was, is) = (from(result, touched.start), from(now, touched.start - run.from.start + run.to));
        Ok(Span { start: Byte(span.start.0 - was + is), end: Byte(span.end.0 - was + is) })
    };
    put.into_iter().map(place).collect()
}

/// Lines that are the same in both texts.
struct Run {
    from: Range<usize>,
    /// The first of them in the text as it is now.
    to: usize,
    /// Whether they stand once in each, if that was asked.
    is_one: Option<bool>,
}

impl Run {
    fn is_one(&mut self, was: &Text, now: &Text) -> bool {
        *self.is_one.get_or_insert_with(|| {
            let needle = text_of(was, &self.from);
            stands_once(was, needle) && stands_once(now, needle)
        })
    }
}

/// How many places are looked at that begin within a line, before it is left undecided.
const WITHIN_LINES: usize = 100;

/// Whether whole lines that a text holds stand there only once, beyond doubt.
fn stands_once(text: &Text, needle: &str) -> bool {
    let finder = memmem::Finder::new(needle);
    let (mut at, mut found, mut within) = (0, 0, 0);
    while let Some(next) = finder.find(&text.as_str().as_bytes()[at..]).map(|it| at + it) {
        let (start, end) = (Byte(next), Byte(next + needle.len()));
        let is_line = |it: Byte| it == text.len() || text.line_start(text.line_of(it)) == it;
        match is_line(start) && is_line(end) {
            true => found += 1,
            false => within += 1,
        }
        if found > 1 || within > WITHIN_LINES {
            return false;
        }
        at = next + 1;
    }
    found == 1
}

/// Where the replacements stand in the text they made.
fn put(edits: &EditSet) -> Vec<Span> {
    let (mut removed, mut added) = (0, 0);
    let place = |it: &Replacement| {
        let start = it.span.start.0 - removed + added;
        removed += it.span.len();
        added += it.text.len();
        Span::new(start, start + it.text.len())
    };
    edits.replacements().iter().map(place).collect()
}

/// The lines that must be unchanged for what stands in `span` to be: all it is part of, and both beside it where it is
/// nothing, since lines were taken out there.
fn touched(text: &Text, span: Span) -> Range<usize> {
    let (first, last) = (text.line_of(span.start).0, text.line_of(span.end).0);
    let starts_line = |line: usize, at: Byte| text.line_start(Line(line)) == at;
    if span.is_empty() && starts_line(first, span.start) {
        return first.saturating_sub(1)..first + 1;
    }
    if !span.is_empty() && starts_line(last, span.end) { first..last } else { first..last + 1 }
}

fn equal(op: &DiffOp) -> Option<(Range<usize>, usize)> {
    match *op {
        DiffOp::Equal { old_index, new_index, len } => Some((old_index..old_index + len, new_index)),
        _ => None,
    }
}

fn lines(text: &Text) -> Vec<&str> {
    (0..text.line_count()).map(|line| text_of(text, &(line..line + 1))).collect()
}

fn text_of<'a>(text: &'a Text, lines: &Range<usize>) -> &'a str {
    let start = |line: usize| if line < text.line_count() { text.line_start(Line(line)).0 } else { text.len().0 };
    &text.as_str()[start(lines.start)..start(lines.end)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::Origin;
    use crate::uri_key::UriKey;

    fn seen(text: &str) -> Seen {
        let uri = "file:///a";
        Seen {
            uri: uri.parse().unwrap(),
            key: UriKey::of(uri),
            name: "a".to_owned(),
            text: Text::new(text),
            origin: Origin::File,
        }
    }

    /// What is left of `now` once the replacements in `base` are taken back.
    fn reverted(base: &str, replacements: &[(usize, usize, &str)], now: &str) -> Option<String> {
        let replacement = |&(start, end, text): &(usize, usize, &str)| Replacement::new(Span::new(start, end), text);
        let edits = EditSet::new(replacements.iter().map(replacement).collect()).unwrap();
        let result = Text::new(&edits.apply(base));
        let change = Arc::new(Change { seen: seen(base), edits, result });
        revert(&[change], &seen(now), Duration::from_secs(1)).ok().map(|it| it.result.as_str().to_owned())
    }

    #[track_caller]
    fn check(base: &str, replacements: &[(usize, usize, &str)], now: &str, wanted: Option<&str>) {
        assert_eq!(reverted(base, replacements, now).as_deref(), wanted);
    }

    const BASE: &str = "one\ntwo\nthree\nfour\nfive\n";

    #[test]
    fn what_still_stands_is_taken_back() {
        check(BASE, &[(4, 7, "2")], "one\n2\nthree\nfour\nfive\n", Some(BASE));
        check(BASE, &[(4, 7, "2")], "zero\none\n2\nthree\nfour!\nfive\n", Some("zero\none\ntwo\nthree\nfour!\nfive\n"));
        check(BASE, &[(4, 7, "2"), (19, 23, "5")], "one\n2\nnew\nfour\n5\n", Some("one\ntwo\nnew\nfour\nfive\n"));
        check(BASE, &[(4, 8, "")], "one\nthree\nfour\nfive\nsix\n", Some("one\ntwo\nthree\nfour\nfive\nsix\n"));
        check(BASE, &[(4, 4, "1.5\n")], "one\n1.5\ntwo\n", Some("one\ntwo\n"));
    }

    #[test]
    fn what_has_changed_since_is_not() {
        check(BASE, &[(4, 7, "2")], "one\n2!\nthree\nfour\nfive\n", None);
        check(BASE, &[(4, 7, "2")], BASE, None);
        check(BASE, &[(4, 8, "")], "one\nnew\nthree\nfour\nfive\n", None);
        check(BASE, &[(4, 7, "2"), (19, 23, "5")], "one\n2\nthree\nfour\n", None);
    }

    #[test]
    fn one_of_several_alike_is_not_guessed() {
        let base = "a\nx = 1\nb\n";
        check(base, &[(2, 7, "x = 2")], "a\nx = 2\nb\na\nx = 2\nb\n", None);
        let twice = "a\nx = 1\nb\nc\nx = 2\nd\n";
        check(twice, &[(2, 7, "x = 2")], "a\nx = 2\nb\nc\nx = 2\nd!\n", Some("a\nx = 1\nb\nc\nx = 2\nd!\n"));
        // As many as before, and yet perhaps others.
        check("w0\nb\nw\n", &[(0, 2, "w")], "b\nw\nw\n", None);
        check("w0\nb\nw\n", &[(0, 2, "w")], "b\nw\n", None);
        // The end of another line is no other line.
        check("p\n}0\nq\n", &[(2, 4, "}")], "p!\n}\nq!\n  }\n", Some("p!\n}0\nq!\n  }\n"));
    }

    #[test]
    fn what_was_made_in_steps_is_taken_back_in_one() {
        let step = |base: &str, (start, end, text): (usize, usize, &str)| {
            let edits = EditSet::new(vec![Replacement::new(Span::new(start, end), text)]).unwrap();
            let result = Text::new(&edits.apply(base));
            Arc::new(Change { seen: seen(base), edits, result })
        };
        let first = step(BASE, (4, 7, "2"));
        let second = step(first.result.as_str(), (12, 16, "4"));
        let steps = [second.clone(), first.clone()];
        let back = |now: &str| revert(&steps, &seen(now), Duration::from_secs(1));
        let both = back(second.result.as_str()).unwrap();
        assert_eq!(both.result.as_str(), BASE);
        assert_eq!(both.edits.apply(second.result.as_str()), BASE);
        assert!(back(&second.result.as_str().replace("\n2\n", "\n2!\n")).is_err(), "the first no longer stands");
    }
}
