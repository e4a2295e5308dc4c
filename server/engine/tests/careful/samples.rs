//! Small documents over a tiny alphabet, and edits that come from them and were then written down another way, so
//! that the tolerant tiers have something to do.

use agent_edit_engine::{Anchoring, Edit, FindReplace, Line, LineEndings, LineInsert, LineReplace, Matching, Options};

use crate::choices::Choices;

/// A batch, owned.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) documents: Vec<(String, Vec<Edit>)>,
    pub(crate) options: Options,
}

const WORDS: &[&str] = &["a", "b", "aa", "é", "e\u{301}", "if", "x1"];
const MARKS: &[&str] =
    &["(", ")", ",", "\"", "“", "-", "–", "😀", "...", "\\", "&lt;", "\u{feff}", "\u{a0}", "'", "\\n"];
const ENDS: &[&str] = &["\n", "\n", "\n", "\r\n", "\r\n", "\r"];

/// Any batch at all.
pub(crate) fn batch(choices: &mut Choices<'_>) -> Sample {
    let options = options(choices);
    let count = 1 + choices.below(3).saturating_sub(1);
    let documents = (0..count).map(|_| {
        let text = document(choices);
        let number = 1 + choices.below(6);
        let kind = choices.below(8);
        let edits = (0..number).map(|_| match kind {
            0..5 => Edit::FindReplace(find_replace(choices, &text)),
            5..7 => line_edit(choices, &text),
            _ if choices.once_in(2) => line_edit(choices, &text),
            _ => Edit::FindReplace(find_replace(choices, &text)),
        });
        let edits = edits.collect();
        (text, edits)
    });
    Sample { documents: documents.collect(), options }
}

/// A document and edits of it, as texts with a byte 0xFF between them.
pub(crate) fn texts(bytes: &[u8]) -> Sample {
    let (head, rest) = bytes.split_at(bytes.len().min(8));
    let options = options(&mut Choices::new(head));
    let mut texts = rest.split(|it| *it == 0xff).map(|it| String::from_utf8_lossy(it).into_owned());
    let document = texts.next().unwrap_or_default();
    let rest: Vec<String> = texts.take(12).collect();
    let edits = rest.chunks(2).map(|it| {
        let new_text = it.get(1).cloned().unwrap_or_default();
        Edit::FindReplace(FindReplace { old_text: it[0].clone(), new_text, ..FindReplace::default() })
    });
    Sample { documents: vec![(document, edits.collect())], options }
}

pub(crate) fn options(choices: &mut Choices<'_>) -> Options {
    Options {
        matching: choices.pick(&[Matching::Lenient, Matching::Lenient, Matching::Tolerant, Matching::Exact]),
        anchoring: choices.pick(&[Anchoring::Sequential, Anchoring::Sequential, Anchoring::Original]),
        line_endings: choices.pick(&[LineEndings::Document, LineEndings::Document, LineEndings::AsGiven]),
        partial_only: choices.once_in(6),
        allow_placeholders: choices.once_in(4),
        output_limit: choices.pick(&[1 << 20, 1 << 20, 1 << 20, 40]),
    }
}

/// Lines of a few words, indented by one unit, ended in one way; sometimes anything at all.
pub(crate) fn document(choices: &mut Choices<'_>) -> String {
    let unit = choices.pick(&["  ", "    ", "\t", " "]);
    let end = choices.pick(ENDS);
    let mixed = choices.once_in(6);
    let mut text = String::new();
    if choices.once_in(20) {
        text.push('\u{feff}');
    }
    for _ in 0..choices.below(9) {
        text.push_str(&line(choices, unit));
        text.push_str(if mixed { choices.pick(ENDS) } else { end });
    }
    if choices.once_in(3) {
        text.push_str(&line(choices, unit));
    }
    text
}

fn line(choices: &mut Choices<'_>, unit: &str) -> String {
    if choices.once_in(7) {
        return choices.pick(&["", "", " ", "\t"]).to_owned();
    }
    let mut line = unit.repeat(choices.pick(&[0, 0, 1, 1, 2]));
    if choices.once_in(15) {
        line.push_str(choices.pick(&[" ", "\t"]));
    }
    line.push_str(choices.pick(WORDS));
    for _ in 0..choices.below(4) {
        line.push_str(choices.pick(&["", " ", " ", "  ", "\t"]));
        line.push_str(if choices.once_in(2) { choices.pick(MARKS) } else { choices.pick(WORDS) });
    }
    line.push_str(choices.pick(&["", "", "", "", " ", "\t"]));
    line
}

/// An edit of `text`: a piece of it, changed, and the whole then written down another way.
pub(crate) fn find_replace(choices: &mut Choices<'_>, text: &str) -> FindReplace {
    let old = if choices.once_in(8) { document(choices) } else { piece(choices, text) };
    let new = changed(choices, &old);
    let (mut old_text, mut new_text) = (old, new);
    for _ in 0..choices.pick(&[0, 1, 1, 1, 2, 2, 3]) {
        let (way, detail) = (choices.below(WAYS.len()), choices.below(256));
        let also_new = !choices.once_in(4);
        old_text = WAYS[way](&old_text, detail);
        if also_new {
            new_text = WAYS[way](&new_text, detail);
        }
    }
    FindReplace {
        old_text,
        new_text,
        replace_all: choices.once_in(6),
        expected_occurrences: if choices.once_in(12) { Some(choices.below(3)) } else { None },
        at_line: if choices.once_in(12) { Some(Line(choices.below(9))) } else { None },
    }
}

fn line_edit(choices: &mut Choices<'_>, text: &str) -> Edit {
    let from = Line(choices.below(9));
    let new_text = if choices.once_in(4) { String::new() } else { document(choices) };
    if choices.once_in(3) {
        return Edit::LineInsert(LineInsert { from, new_text });
    }
    let to = Line(from.0 + choices.below(3));
    let expected_text = if choices.once_in(3) { Some(piece(choices, text)) } else { None };
    Edit::LineReplace(LineReplace { from, to, new_text, expected_text })
}

/// Some of `text`: whole lines, or from anywhere to anywhere.
fn piece(choices: &mut Choices<'_>, text: &str) -> String {
    if choices.once_in(3) {
        let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let from = choices.below(bounds.len());
        let to = (from + choices.below(9)).min(bounds.len() - 1);
        return text[bounds[from]..bounds[to]].to_owned();
    }
    let lines = split_lines(text);
    if lines.is_empty() {
        return String::new();
    }
    let from = choices.below(lines.len());
    let to = (from + 1 + choices.below(4)).min(lines.len());
    let whole = lines[from..to].concat();
    if choices.once_in(2) { whole } else { without_last_break(&whole).to_owned() }
}

/// What an author might make of `old`.
fn changed(choices: &mut Choices<'_>, old: &str) -> String {
    let mut lines: Vec<String> = split_lines(old).iter().map(|it| (*it).to_owned()).collect();
    for _ in 0..choices.pick(&[0, 1, 1, 1, 2]) {
        let at = if lines.is_empty() { 0 } else { choices.below(lines.len()) };
        match choices.below(7) {
            0 if at < lines.len() => {
                lines.remove(at);
            }
            1 => {
                let made = format!("{}\n", line(choices, choices_unit(old)));
                lines.insert(at, made);
            }
            2 => return document(choices),
            3 => return String::new(),
            _ if at < lines.len() => {
                let word = choices.pick(WORDS);
                let with = choices.pick(&["c", "c d", "é", "", "y\n  z"]);
                lines[at] = lines[at].replacen(word, with, 1);
            }
            _ => {}
        }
    }
    lines.concat()
}

fn choices_unit(text: &str) -> &'static str {
    if text.contains('\t') { "\t" } else { "  " }
}

type Way = fn(&str, usize) -> String;

/// The ways one text is written down as another. The number chooses where or how.
const WAYS: &[Way] = &[
    |text, how| each_line(text, |line| format!("{}{}", line.trim_end_matches([' ', '\t']), ["", " ", "\t"][how % 3])),
    |text, how| {
        each_line(text, |line| {
            if line.trim().is_empty() { line.into() } else { [" ", "  ", "\t", "    "][how % 4].to_owned() + line }
        })
    },
    |text, how| {
        each_line(text, |line| line.strip_prefix([" ", "  ", "\t", "    "][how % 4]).unwrap_or(line).to_owned())
    },
    |text, how| {
        each_line(text, |line| {
            replace_indent(line, ["\t", "  ", "    ", " "][how % 4], ["    ", "\t", " ", "  "][how / 4 % 4])
        })
    },
    |text, _| each_line(text, |line| line.trim_start().to_owned()),
    |text, _| text.replace("\r\n", "\n").replace('\r', "\n"),
    |text, _| text.replace("\r\n", "\n").replace('\n', "\r\n"),
    |text, how| text.replace([" ", "a "][how % 2], ["  ", "a   "][how % 2]),
    |text, _| text.replace("  ", " "),
    |text, how| nth_replaced(text, "\n", [" ", "\n\n", "\n  "][how % 3], how / 3),
    |text, how| nth_replaced(text, " ", ["\n", "\n  "][how % 2], how / 2),
    |text, how| nth_replaced(text, "\n\n", "\n", how),
    |text, _| text.replace('“', "\"").replace('–', "-").replace("e\u{301}", "é").replace('\u{a0}', " "),
    |text, _| text.replace('"', "”").replace('-', "—").replace('é', "e\u{301}").replace('\'', "’"),
    |text, _| text.replace("( ", "(").replace(" )", ")").replace(" ,", ",").replace(", ", ",").replace(" (", "("),
    |text, _| text.replace('(', "( ").replace(')', " )").replace(',', " , "),
    |text, how| numbered(text, [" | ", "|", ": ", ":", "→", "\t"][how % 6], how % 7 + 8),
    |text, _| text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").replace('"', "\\\""),
    |text, _| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
    |text, how| format!("```{}\n{}\n```{}", ["", "rust"][how % 2], without_last_break(text), ["", "\n"][how / 2 % 2]),
    |text, how| elided(text, ["...", "// ...", "# ... existing code ...", "…"][how % 4]),
    |text, _| text.trim().to_owned(),
    |text, how| [" ", "\n", "\n  ", "\t"][how % 4].to_owned() + text,
    |text, how| text.to_owned() + [" ", "\n", "\n  ", "\n\n"][how % 4],
];

fn each_line(text: &str, make: impl Fn(&str) -> String) -> String {
    let lines = split_lines(text);
    lines
        .iter()
        .map(|line| {
            let content = without_last_break(line);
            make(content) + &line[content.len()..]
        })
        .collect()
}

fn replace_indent(line: &str, from: &str, to: &str) -> String {
    let mut rest = line;
    let mut levels = 0;
    while let Some(deeper) = rest.strip_prefix(from) {
        (rest, levels) = (deeper, levels + 1);
    }
    to.repeat(levels) + rest
}

fn nth_replaced(text: &str, what: &str, with: &str, nth: usize) -> String {
    let places: Vec<usize> = text.match_indices(what).map(|(at, _)| at).collect();
    let Some(&at) = places.get(nth % places.len().max(1)) else { return text.to_owned() };
    format!("{}{with}{}", &text[..at], &text[at + what.len()..])
}

fn numbered(text: &str, separator: &str, first: usize) -> String {
    let lines = split_lines(text);
    lines.iter().enumerate().map(|(index, line)| format!("{}{separator}{line}", first + index)).collect()
}

fn elided(text: &str, with: &str) -> String {
    let lines = split_lines(text);
    if lines.len() < 3 {
        return text.to_owned();
    }
    format!("{}{with}\n{}", lines[0], lines[lines.len() - 1])
}

/// The lines of `text`, each with its break; none for an empty text.
pub(crate) fn split_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let content = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let end = if rest[content..].starts_with("\r\n") { content + 2 } else { (content + 1).min(rest.len()) };
        lines.push(&rest[..end]);
        rest = &rest[end..];
    }
    lines
}

/// `line` without the break it ends in.
pub(crate) fn without_last_break(line: &str) -> &str {
    line.strip_suffix("\r\n").or_else(|| line.strip_suffix(['\n', '\r'])).unwrap_or(line)
}
