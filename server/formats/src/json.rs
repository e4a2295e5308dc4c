//! JSON values in a text: the parameters of `workspace/agentEdit`, and calls of the editing tools that agents have.

mod calls;
mod fields;
mod params;

use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use memchr::memmem;
use serde_json::Value;

use self::fields::{Context, Node};
use crate::place::Place;
use crate::reader::Reader;

/// Keys that a batch in JSON cannot do without one of.
const KEYS: [&str; 11] = [
    "\"oldText\"",
    "\"old_string\"",
    "\"oldString\"",
    "\"old_str\"",
    "\"insert_line\"",
    "\"file_text\"",
    "\"textDocument\"",
    "\"documents\"",
    "\"file_path\"",
    "\"filePath\"",
    "*** Begin Patch",
];

/// Keys that tell of a batch even where the JSON around them is broken.
const TELLING: usize = 7;

/// Whether one of the keys is there.
pub(crate) fn may_hold(text: &str) -> bool {
    KEYS.iter().any(|it| memmem::find(text.as_bytes(), it.as_bytes()).is_some())
}

/// Takes the values that start on the next line, if one does.
pub(crate) fn read(reader: &mut Reader<'_>) -> bool {
    let first = reader.lines.at;
    let Some(start) = start(reader, first) else { return false };
    let mut at = start;
    loop {
        let mut values = serde_json::Deserializer::from_str(&reader.text[at..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                let end = at + values.byte_offset();
                whole(reader, Place::new(at, end), value);
                let line = reader.lines.number_of(end - 1);
                let rest = &reader.text[end..reader.lines.place(line).end.max(end)];
                let skipped = rest.len() - rest.trim_start_matches([' ', '\t', ',']).len();
                if !rest[skipped..].starts_with(['{', '[']) {
                    reader.lines.at = line + 1;
                    return true;
                }
                at = end + skipped;
            }
            Some(Err(error)) => {
                broken(reader, at, &error);
                return true;
            }
            None => {
                reader.lines.at = first + 1;
                return true;
            }
        }
    }
}

/// Where a value starts on a line: at the start of the text, anywhere in a fence, or without indentation.
fn start(reader: &Reader<'_>, line: usize) -> Option<usize> {
    let text = reader.lines.text(line)?;
    let bare = text.trim_start();
    let starts = bare.starts_with('{') || (bare.starts_with('[') && !is_link(bare));
    if !starts || !may_hold_below(reader, line) {
        return None;
    }
    let is_first = || (0..line).all(|it| reader.lines.is_blank(it));
    let may_start = reader.lines.fence.is_some() || bare.len() == text.len() || is_first();
    may_start.then(|| reader.lines.place(line).end - bare.len())
}

/// Whether `[` starts prose: `[1]`, `[a link](…)`, `[ ] a task`.
fn is_link(text: &str) -> bool {
    !text[1..].trim_start().is_empty() && !text[1..].trim_start().starts_with(['{', '[', '"', ']'])
}

/// The text was searched for the keys before; a value that starts behind the last of them holds none.
fn may_hold_below(reader: &Reader<'_>, line: usize) -> bool {
    reader.lines.start(line) < reader.last_key
}

/// Where the last key ends that a batch in JSON cannot do without.
pub(crate) fn last_key(text: &str) -> usize {
    KEYS.iter()
        .filter_map(|it| memmem::rfind(text.as_bytes(), it.as_bytes()).map(|at| at + it.len()))
        .max()
        .unwrap_or(0)
}

/// A value that is JSON.
fn whole(reader: &mut Reader<'_>, place: Place, value: Value) {
    let text = reader.text;
    let json = &text[place.range()];
    if !may_hold(json) {
        return;
    }
    match parse_to_ast(json, &CollectOptions::default(), &strict()) {
        Ok(parsed) => {
            let Some(node) = &parsed.value else { return };
            let mut context = Context { reader, base: place.start, fixed: None };
            let node = Node::of(node);
            let taken = params::read(&mut context, node, value) || calls::read(&mut context, node);
            if taken {
                reader.floor = reader.lines.number_of(place.end - 1) + 1;
            }
        }
        Err(error) => {
            let (start, end) = (error.range().start.min(json.len()), error.range().end.min(json.len()));
            reader.wrong(Place::new(place.start + start, place.start + end.max(start)), error.kind().to_string());
        }
    }
}

fn strict() -> ParseOptions {
    ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// A value that is no JSON. It is a problem where its keys, up to a little behind the error, tell of a batch.
fn broken(reader: &mut Reader<'_>, start: usize, error: &serde_json::Error) {
    let first = reader.lines.number_of(start);
    let line = (first + error.line() - 1).min(reader.lines.count() - 1);
    let line_place = reader.lines.place(line);
    let from = if line == first { start } else { line_place.start };
    let mut at = (from + error.column().saturating_sub(1)).min(line_place.end.max(from));
    if error.is_eof() {
        at = reader.text.trim_end().len().max(start);
    }
    while !reader.text.is_char_boundary(at) {
        at -= 1;
    }
    let until = (line..line + 10)
        .take_while(|it| *it == line || !(reader.lines.is_blank(*it) || reader.lines.is_fence(*it)))
        .last()
        .map_or(line_place.end, |it| reader.lines.place(it).end);
    let seen = &reader.text.as_bytes()[start..until.max(start)];
    if KEYS[..TELLING].iter().any(|it| memmem::find(seen, it.as_bytes()).is_some()) {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or(&message);
        reader.wrong(Place::new(at, at), format!("not JSON: {message}"));
    }
    reader.lines.at = if line > first && reader.lines.is_fence(line) { line } else { line + 1 };
}
