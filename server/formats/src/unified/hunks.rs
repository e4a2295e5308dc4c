//! One hunk: its line numbers, its lines, and where it ends.

use super::ends_hunk;
use crate::batch::{Edit, Hints};
use crate::hunk::Hunk;
use crate::place::Place;
use crate::reader::Reader;

/// The line numbers in front of a hunk, from 1, and how many lines it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    old: (usize, usize),
    new: (usize, usize),
}

impl Range {
    /// The line on which the old text starts, from 0.
    pub(crate) fn hint(self) -> Option<usize> {
        self.old.0.checked_sub(1).filter(|_| self.old.1 > 0)
    }
}

/// The numbers in ` -1,2 +1,3 @@`, which stands behind `@@`.
pub(crate) fn range(text: &str) -> Option<Range> {
    let (old, rest) = side(text.strip_prefix(" -")?)?;
    let (new, rest) = side(rest.strip_prefix(" +")?)?;
    rest.strip_prefix(" @@").map(|_| Range { old, new })
}

/// The line `@@` of a hunk whose old text starts on `line`, from 0.
pub(crate) fn range_of(line: usize, old: &str, new: &str) -> String {
    let count = |text: &str| text.split_inclusive('\n').count();
    format!("@@ -{line},{} +{line},{} @@\n", count(old), count(new), line = line + 1)
}

fn side(text: &str) -> Option<((usize, usize), &str)> {
    let (line, rest) = number(text)?;
    let Some(counted) = rest.strip_prefix(',') else { return Some(((line, 1), rest)) };
    let (count, rest) = number(counted)?;
    Some(((line, count), rest))
}

fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// A hunk that was read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) hunk: Hunk,
    pub(super) place: Place,
    range: Option<Range>,
    /// The line behind it.
    pub(super) next: usize,
}

impl Read {
    /// Whether its numbers say that the file before is empty.
    pub(super) fn fills_an_empty_file(&self) -> bool {
        self.hunk.old_lines == 0 && self.range.is_some_and(|it| it.old == (0, 0))
    }

    pub(super) fn edit(self) -> Edit {
        let at_line = self.range.and_then(Range::hint);
        let at_end = self.hunk.old_is_open;
        self.hunk.edit(self.place, Hints { at_line, at_end, ..Hints::default() })
    }
}

type Wrong = (Place, String);

/// The hunk whose `@@` stands on the line `first`.
pub(super) fn read(reader: &Reader<'_>, first: usize) -> Result<Read, Wrong> {
    let lines = &reader.lines;
    let header = lines.text(first).and_then(|it| it.strip_prefix("@@")).unwrap_or_default();
    let range = range(header);
    let says_nothing = header.trim().is_empty() || header.trim() == "... @@" || header.trim() == "@@";
    if range.is_none() && !says_nothing {
        return Err((lines.place(first), "expected `@@ -LINE,COUNT +LINE,COUNT @@`".to_owned()));
    }
    let end = end(reader, first + 1, range).map_err(|line| {
        let message = "the counts in front of the hunk do not fit, and where it ends is not certain: expected them to \
                       fit, or the diff in a fence of its own";
        (lines.place(line), message.to_owned())
    })?;
    let mut hunk = Hunk::default();
    for number in first + 1..end {
        let whole = lines.whole(number).unwrap_or_default();
        if whole.starts_with('\\') {
            hunk.open_end();
        } else if !hunk.push(whole) {
            let message = "expected nothing behind the line that has no newline at its end";
            return Err((lines.place(number), message.to_owned()));
        }
    }
    let place = lines.places(first, end - 1);
    if hunk.is_empty() {
        return Err((place, "expected lines that start with a space, `-` or `+` below".to_owned()));
    }
    let next = (end..).find(|it| !lines.text(*it).is_some_and(str::is_empty)).unwrap_or(end);
    let goes_on = lines.text(next).is_some_and(|it| it.starts_with("@@"));
    Ok(Read { hunk, place, range, next: if goes_on { next } else { end } })
}

/// The line behind the hunk. By its counts, as long as they fit; else what looks like it, where that is certain, and
/// else the line that makes it uncertain.
fn end(reader: &Reader<'_>, first: usize, range: Option<Range>) -> Result<usize, usize> {
    if let Some(end) = range.and_then(|it| counted(reader, first, it)) {
        match follows(reader, end) {
            Follows::OtherThings => return Ok(end),
            Follows::PerhapsHunk(line) => return Err(line),
            Follows::Hunk => {}
        }
    }
    let end = (first..).find(|it| ends_hunk(reader, *it)).unwrap_or(first);
    let is_empty = |number: usize| reader.lines.text(number).is_some_and(str::is_empty);
    let end = (first..end).rev().find(|it| !is_empty(*it)).map_or(first, |it| it + 1);
    // Outside of a fence, what stands behind an empty line may be prose.
    match (first..end).find(|it| is_empty(*it)) {
        Some(line) if reader.lines.fence.is_none() => Err(line),
        _ => Ok(end),
    }
}

/// The line at which the counts are used up, if they ever are.
fn counted(reader: &Reader<'_>, first: usize, range: Range) -> Option<usize> {
    let (mut old, mut new) = (range.old.1, range.new.1);
    let mut at = first;
    while old > 0 || new > 0 {
        let line = reader.lines.text(at).filter(|_| !reader.lines.closes_fence(at))?;
        if !line.starts_with('\\') {
            let (kind, _) = crate::hunk::kind(line)?;
            old = old.checked_sub(usize::from(kind != '+'))?;
            new = new.checked_sub(usize::from(kind != '-'))?;
        }
        at += 1;
    }
    let ends_open = reader.lines.text(at).is_some_and(|it| it.starts_with('\\'));
    Some(at + usize::from(ends_open))
}

enum Follows {
    /// Nothing that could be part of a hunk.
    OtherThings,
    /// More lines of the hunk: its counts are wrong.
    Hunk,
    /// Something that may be one, or prose: on this line.
    PerhapsHunk(usize),
}

fn follows(reader: &Reader<'_>, end: usize) -> Follows {
    let is_empty = |number: usize| reader.lines.text(number).is_some_and(str::is_empty);
    let next = (end..).find(|it| !is_empty(*it)).unwrap_or(end);
    let line = reader.lines.text(next).unwrap_or_default();
    // Mails have a signature below their patch.
    if ends_hunk(reader, next) || line == "-- " || line == "--" {
        Follows::OtherThings
    } else if next == end || reader.lines.fence.is_some() {
        Follows::Hunk
    } else if line.starts_with(['+', '-', '\\']) {
        Follows::PerhapsHunk(next)
    } else {
        Follows::OtherThings
    }
}
