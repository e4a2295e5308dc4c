//! SEARCH/REPLACE blocks.

use crate::batch::{Change, Edit, EditKind, Format, Hints, Over, Replace};
use crate::names;
use crate::reader::Reader;

/// A marker of a block: its character, how often it stands there, and how far the line is indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    kind: Kind,
    len: usize,
    indent: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Opening(Family),
    Divider,
    Closing(Family),
}

/// Which characters open and close: a block that is opened by one family is closed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    /// `<<<<<<< SEARCH`, `>>>>>>> REPLACE`.
    Angles,
    /// `------- SEARCH`, `+++++++ REPLACE`.
    Signs,
}

/// The least length of a marker.
const LEAST: usize = 5;

/// Takes the block that starts on the next line, if one does.
pub(crate) fn read(reader: &mut Reader<'_>) -> bool {
    let first = reader.lines.at;
    let Some(mark) = reader.lines.text(first).and_then(mark) else { return false };
    let place = reader.lines.place(first);
    match mark.kind {
        Kind::Divider => return false,
        Kind::Closing(_) => {
            reader.wrong(place, "closes a block that nothing opens: expected a line `<<<<<<< SEARCH` above");
            reader.taken_to(first + 1);
        }
        Kind::Opening(family) if !is_bare_opening(reader.lines.text(first).unwrap_or_default()) => {
            reader.wrong(place, format!("expected nothing behind `{} SEARCH`", family.opening(mark.len)));
            // What follows belongs to it all the same.
            let end = Bounds::of(reader, first, mark, family).end;
            reader.taken_to(end.map_or(first, |it| it) + 1);
        }
        Kind::Opening(family) => block(reader, first, mark, family),
    }
    true
}

fn block(reader: &mut Reader<'_>, first: usize, opening: Mark, family: Family) {
    let name = name(reader, first);
    let Bounds { dividers, end } = Bounds::of(reader, first, opening, family);
    let Ok(end) = end else {
        let line = end.unwrap_or_else(|it| it);
        let message = format!(
            "expected `{} REPLACE` to close the block that line {} opens",
            family.closing(opening.len),
            first + 1
        );
        reader.wrong(reader.lines.place(line), message);
        // A path in front of the next block is that one's.
        reader.taken_to(first + 1);
        reader.lines.at = line.max(first + 1);
        return;
    };
    let whole = reader.lines.places(first, end);
    reader.taken_to(end + 1);
    let divider = match divider(&dividers, opening.len) {
        Ok(divider) => divider,
        Err(line) => {
            let length = "=".repeat(opening.len);
            let message = match line {
                None => format!("expected a line `{length}` between the two parts of the block"),
                Some(_) => format!(
                    "a second line `{length}` in one block: which of them parts it is not certain; let all markers of \
                     the block be of another length"
                ),
            };
            reader.wrong(reader.lines.place(line.unwrap_or(end)), message);
            return;
        }
    };
    let Some(head) = Head::of(reader, first + 1, divider) else { return };
    let escapes = escapes(reader, (head.end, end), head.is_there);
    let texts = [(head.end, divider), (divider + 1, end)].map(|(from, to)| content(reader, from, to, escapes));
    let [old_text, new_text] = texts;
    let Some((name, named)) = name else {
        let place = reader.lines.place(first);
        reader.wrong(place, "expected a line with the path of the file in front of the block");
        return;
    };
    let seeks_nothing = old_text.trim().is_empty();
    if seeks_nothing && !old_text.is_empty() {
        reader.wrong(whole, "the SEARCH part holds blank lines alone: expected lines that stand in one place");
    } else if seeks_nothing && new_text.is_empty() {
        reader.wrong(whole, "both parts are empty: expected lines in one of them");
    } else if seeks_nothing {
        let change = Change::Create { content: new_text, over: Over::Empty };
        reader.found(Format::Blocks, name, named, change);
    } else {
        let hints = Hints { whole_lines: true, at_line: head.at_line, ..Hints::default() };
        let kind = EditKind::Replace(Replace { old_text, new_text, hints, ..Replace::default() });
        reader.found(Format::Blocks, name, named, Change::Edit(vec![Edit { kind, place: whole }]));
    }
}

/// What lies between an opening and what closes it.
struct Bounds {
    /// Line and length of each.
    dividers: Vec<(usize, usize)>,
    /// The line that closes; else the line at which that was expected.
    end: Result<usize, usize>,
}

impl Bounds {
    /// A block ends at the first closing marker of its opening's length; where there is none, at the only one of another.
    fn of(reader: &Reader<'_>, first: usize, opening: Mark, family: Family) -> Self {
        let mut dividers = Vec::new();
        let mut others = Vec::new();
        let mut number = first + 1;
        while let Some(line) = reader.lines.text(number) {
            match mark(line).filter(|it| it.indent == opening.indent) {
                Some(Mark { kind: Kind::Divider, len, .. }) => dividers.push((number, len)),
                Some(Mark { kind: Kind::Closing(it), len, .. }) if it == family => {
                    if len == opening.len {
                        return Self { dividers, end: Ok(number) };
                    }
                    others.push(number);
                }
                Some(Mark { kind: Kind::Opening(it), len, .. }) if it == family && len == opening.len => break,
                _ => {}
            }
            number += 1;
        }
        match others[..] {
            [only] => {
                dividers.retain(|it| it.0 < only);
                Self { dividers, end: Ok(only) }
            }
            _ => Self { dividers, end: Err(number) },
        }
    }
}

/// The line that parts a block: the only one of the opening's length, else the only one. Else the line that makes it
/// uncertain, or nothing.
fn divider(dividers: &[(usize, usize)], len: usize) -> Result<usize, Option<usize>> {
    let same: Vec<usize> = dividers.iter().filter(|it| it.1 == len).map(|it| it.0).collect();
    match (&same[..], dividers) {
        ([only], _) => Ok(*only),
        ([], [(only, _)]) => Ok(*only),
        ([_, second, ..], _) => Err(Some(*second)),
        ([], [_, (second, _), ..]) => Err(Some(*second)),
        ([], []) => Err(None),
    }
}

/// The lines with which some tools begin a block: `:start_line:12`, `:end_line:14`, `-------`.
struct Head {
    is_there: bool,
    /// From 0.
    at_line: Option<usize>,
    /// The first line of content.
    end: usize,
}

impl Head {
    fn of(reader: &mut Reader<'_>, first: usize, divider: usize) -> Option<Self> {
        let mut head = Self { is_there: false, at_line: None, end: first };
        for field in [":start_line:", ":end_line:"] {
            let line = reader.lines.text(head.end).filter(|_| head.end < divider).unwrap_or_default();
            let Some(value) = line.trim().strip_prefix(field) else { continue };
            let Ok(number) = value.trim().parse::<usize>() else {
                reader.wrong(reader.lines.place(head.end), format!("expected a line number behind `{field}`"));
                return None;
            };
            if field == ":start_line:" {
                head.at_line = number.checked_sub(1);
            }
            head.is_there = true;
            head.end += 1;
        }
        let rule = reader.lines.text(head.end).filter(|_| head.end < divider).unwrap_or_default().trim();
        if head.is_there && rule.len() >= LEAST && rule.bytes().all(|it| it == b'-') {
            head.end += 1;
        }
        Some(head)
    }
}

/// A backslash in front of a marker is an escape where the block begins as the tools begin it that have such; else it
/// may be text, and nobody can say.
fn escapes(reader: &mut Reader<'_>, (from, to): (usize, usize), has_head: bool) -> bool {
    if !has_head && let Some(line) = (from..to).find(|it| reader.lines.text(*it).is_some_and(is_escaped)) {
        let message = "a backslash in front of a marker: whether it belongs to the text is not certain; leave it out, \
                       and let all markers of the block be of another length";
        reader.wrong(reader.lines.place(line), message);
    }
    has_head
}

fn is_escaped(line: &str) -> bool {
    let Some(marker) = line.trim_start().strip_prefix('\\') else { return false };
    let runs = |of: &str| marker.starts_with(&of.repeat(7));
    ["<", "=", ">", "-"].into_iter().any(runs) || marker.starts_with(":start_line:") || marker.starts_with(":end_line:")
}

fn content(reader: &Reader<'_>, from: usize, to: usize, escapes: bool) -> String {
    let lines = (from..to).filter_map(|it| reader.lines.whole(it));
    lines.map(|line| if escapes && is_escaped(line) { line.replacen('\\', "", 1) } else { line.to_owned() }).collect()
}

/// The path in front of a block, and where it stands: on the last line that is neither blank nor a fence; where only such
/// lines part it from the block before, it is that one's.
fn name(reader: &Reader<'_>, first: usize) -> Option<(String, crate::place::Place)> {
    let mut number = first;
    while number > reader.floor {
        number -= 1;
        let line = reader.lines.text(number).unwrap_or_default();
        if reader.lines.is_blank(number) || reader.lines.is_fence(number) || names::is_wrapping(line) {
            continue;
        }
        return names::on_line(line).map(|name| (name.to_owned(), reader.lines.place(number)));
    }
    let before = reader.sections.last().filter(|it| it.format == Format::Blocks && reader.floor > 0)?;
    Some((before.name.clone(), before.place))
}

/// What marker a line is.
fn mark(line: &str) -> Option<Mark> {
    let bare = line.trim();
    let sign = *bare.as_bytes().first()?;
    let len = bare.bytes().take_while(|it| *it == sign).count();
    let word = &bare[len..];
    let closes = matches!(word, " REPLACE" | " REPLACE>");
    let opens = word.starts_with(" SEARCH");
    let kind = match sign {
        b'=' if word.is_empty() => Kind::Divider,
        b'<' if opens => Kind::Opening(Family::Angles),
        b'-' if opens => Kind::Opening(Family::Signs),
        b'>' if closes => Kind::Closing(Family::Angles),
        b'+' if closes => Kind::Closing(Family::Signs),
        _ => return None,
    };
    (len >= LEAST).then_some(Mark { kind, len, indent: line.len() - line.trim_start().len() })
}

fn is_bare_opening(line: &str) -> bool {
    line.trim().trim_end_matches('>').ends_with(" SEARCH")
}

impl Family {
    fn opening(self, len: usize) -> String {
        if self == Self::Angles { "<" } else { "-" }.repeat(len)
    }

    fn closing(self, len: usize) -> String {
        if self == Self::Angles { ">" } else { "+" }.repeat(len)
    }
}

/// A length for the markers of a block that no line of `texts` can be taken for.
pub(crate) fn free_length(texts: [&str; 2]) -> usize {
    let lens: Vec<usize> = texts.iter().flat_map(|it| it.lines()).filter_map(mark).map(|it| it.len).collect();
    (7..).find(|it| !lens.contains(it)).unwrap_or(7)
}

/// Whether a line of `text` starts with a backslash and what could be a marker.
pub(crate) fn has_escapes(text: &str) -> bool {
    text.lines().any(is_escaped)
}

/// Whether `text` starts as some tools begin a block.
pub(crate) fn is_head(text: &str) -> bool {
    [":start_line:", ":end_line:"].iter().any(|it| text.trim_start().starts_with(it))
}
