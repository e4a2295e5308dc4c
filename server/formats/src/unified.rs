//! Unified diffs, Git's and plain ones.

mod header;
mod hunks;

use self::header::{Header, Side};
use self::hunks::Read;
pub(crate) use self::hunks::{range, range_of};
use crate::batch::{Change, Format, Over};
use crate::hunk::kind;
use crate::place::Place;
use crate::reader::Reader;

/// Takes the part of a diff about one file that starts on the next line, if one does.
pub(crate) fn read(reader: &mut Reader<'_>) -> bool {
    let first = reader.lines.at;
    let line = reader.lines.text(first).unwrap_or_default();
    let combined = ["diff --cc ", "diff --combined ", "@@@ -"];
    if combined.iter().any(|it| line.starts_with(it)) {
        let message = "a combined diff has several old texts: expected a diff of two";
        reader.wrong(reader.lines.place(first), message);
        skip_file(reader, first + 1);
        return true;
    }
    let wrong = if line.starts_with("diff --git ") || is_header(reader, first) {
        file(reader, first);
        return true;
    } else if line.strip_prefix("@@").and_then(range).is_some() {
        "expected lines `--- FILE` and `+++ FILE` in front of the hunk"
    } else {
        return false;
    };
    reader.wrong(reader.lines.place(first), wrong);
    skip(reader, first + 1);
    true
}

/// Whether `--- ` and `+++ ` stand on this line and the next.
fn is_header(reader: &Reader<'_>, number: usize) -> bool {
    let starts = |number, with| reader.lines.text(number).is_some_and(|it: &str| it.starts_with(with));
    starts(number, "--- ") && starts(number + 1, "+++ ")
}

/// Whether what a hunk is made of cannot go on here.
fn ends_hunk(reader: &Reader<'_>, number: usize) -> bool {
    let Some(line) = reader.lines.text(number) else { return true };
    let is_line = kind(line).is_some() || line.starts_with('\\');
    !is_line || reader.lines.closes_fence(number) || is_header(reader, number)
}

/// Passes the rest of what cannot be read.
fn skip(reader: &mut Reader<'_>, from: usize) {
    let goes_on = |number: usize| {
        let is_hunk = reader.lines.text(number).is_some_and(|it| it.starts_with("@@"));
        is_hunk || !ends_hunk(reader, number)
    };
    let end = (from..).find(|it| !goes_on(*it)).unwrap_or(from);
    reader.taken_to(end);
}

/// Passes the rest of the part about one file.
fn skip_file(reader: &mut Reader<'_>, from: usize) {
    let ends = |number: usize| {
        let starts_next = reader.lines.text(number).is_none_or(|it| it.starts_with("diff --"));
        starts_next || reader.lines.closes_fence(number)
    };
    let end = (from..).find(|it| ends(*it)).unwrap_or(from);
    reader.taken_to(end);
}

fn file(reader: &mut Reader<'_>, first: usize) {
    let (header, body) = match Header::read(reader, first) {
        Ok(read) => read,
        Err((line, message)) => {
            reader.wrong(reader.lines.place(line), message);
            return skip(reader, line.max(first) + 1);
        }
    };
    let mut hunks: Vec<Read> = Vec::new();
    let mut at = body;
    while reader.lines.text(at).is_some_and(|it| it.starts_with("@@")) {
        match hunks::read(reader, at) {
            Ok(read) => {
                at = read.next;
                hunks.push(read);
            }
            Err((place, message)) => {
                reader.wrong(place, message);
                return skip(reader, at + 1);
            }
        }
    }
    reader.taken_to(at);
    if header.has_sides && hunks.is_empty() {
        let message = "expected `@@ -LINE,COUNT +LINE,COUNT @@` below the names of the file";
        return reader.wrong(reader.lines.place(at), message);
    }
    let place = reader.lines.places(first, body.max(first + 1) - 1);
    match change(header, hunks, place) {
        Ok((name, change)) => reader.found(Format::Unified, name, place, change),
        Err((place, message)) => reader.wrong(place, message),
    }
}

/// The name of the file and what happens to it.
fn change(header: Header, mut hunks: Vec<Read>, place: Place) -> Result<(String, Change), (Place, String)> {
    let one_side = |hunks: &[Read], message: &str| match hunks {
        [_, second, ..] => Err((second.place, message.to_owned())),
        _ => Ok(()),
    };
    match (header.old, header.new) {
        (Side::None, Side::None) => Err((place, "expected a file's name on one of the two lines".to_owned())),
        (Side::None, Side::Name(name)) => {
            one_side(&hunks, "expected one hunk with all lines of the new file")?;
            let hunk = hunks.pop();
            if let Some(it) = hunk.as_ref().filter(|it| it.hunk.old_lines > 0) {
                return Err((it.place, "the file is new: expected lines that start with `+` alone".to_owned()));
            }
            let content = hunk.map(|it| it.hunk.new).unwrap_or_default();
            Ok((name, Change::Create { content, over: Over::Nothing }))
        }
        (Side::Name(name), Side::None) => {
            one_side(&hunks, "expected one hunk with all lines of the deleted file")?;
            let hunk = hunks.pop();
            if let Some(it) = hunk.as_ref().filter(|it| it.hunk.new_lines > 0) {
                return Err((it.place, "the file is deleted: expected lines that start with `-` alone".to_owned()));
            }
            Ok((name, Change::Delete { expected: hunk.map(|it| it.hunk.old) }))
        }
        (Side::Name(old), Side::Name(new)) => {
            let is_alone = hunks.len() == 1 && old == new;
            if is_alone && hunks[0].fills_an_empty_file() {
                let content = hunks.pop().map(|it| it.hunk.new).unwrap_or_default();
                return Ok((new, Change::Create { content, over: Over::Empty }));
            }
            if let Some(it) = hunks.iter().find(|it| it.hunk.old_lines == 0) {
                let message = "the hunk adds lines and only a line number says where: expected lines of the file \
                               around them";
                return Err((it.place, message.to_owned()));
            }
            let edits = hunks.into_iter().map(Read::edit).collect::<Vec<_>>();
            match () {
                () if old != new => Ok((old, Change::Rename { to: new, edits })),
                () if edits.is_empty() => Err((place, "expected what changes in the file".to_owned())),
                () => Ok((old, Change::Edit(edits))),
            }
        }
    }
}
