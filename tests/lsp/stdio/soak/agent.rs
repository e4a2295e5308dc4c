//! The agents: batches for the texts they have read, that fit, do not, or fit too often. Whatever lands brings characters
//! in, and takes none away.

use fake_editor::{Random, sha256};
use serde_json::{Value, json};

use crate::marks::Marks;

/// A line that stands in every document several times.
pub(crate) const EVERYWHERE: &str = "the same line";

/// A batch, and the characters it would bring into each of its documents.
pub(crate) struct Made {
    pub(crate) params: Value,
    pub(crate) brings: Vec<(String, Vec<char>)>,
}

/// A document as it was read.
#[derive(Clone)]
pub(crate) struct Read {
    pub(crate) uri: String,
    pub(crate) text: String,
    /// If it was open.
    pub(crate) version: Option<i64>,
}

/// A batch for documents as they were read.
pub(crate) fn batch(random: &mut Random, marks: &mut Marks, read: Vec<Read>) -> Made {
    let matching = *random.pick(&["exact", "tolerant", "lenient"]);
    let mut made = Made { params: json!({"matching": matching}), brings: vec![] };
    let mut documents = vec![];
    for Read { uri, text, version } in read {
        let edits = match random.below(5) {
            0 => by_line(random, marks, &text),
            _ => by_text(random, marks, &text, matching),
        };
        let (brings, edits): (Vec<_>, Vec<_>) = edits.into_iter().unzip();
        let mut document = json!({"textDocument": {"uri": uri}, "edits": edits});
        match random.below(8) {
            0..=1 => document["textDocument"]["version"] = json!(version),
            2 => document["expectedBaseSha256"] = json!(sha256(&text)),
            _ => {}
        }
        documents.push(document);
        made.brings.push((uri, brings));
    }
    made.params["documents"] = json!(documents);
    made.params["agent"] = json!(random.pick(&["one", "two", "three"]));
    if random.below(6) == 0 {
        made.params["anchoring"] = json!("original");
    }
    if random.below(8) == 0 {
        made.params["mode"] = json!("preview");
    }
    made
}

fn by_text(random: &mut Random, marks: &mut Marks, text: &str, matching: &str) -> Vec<(char, Value)> {
    let mut lines: Vec<_> = lines(text).into_iter().filter(|it| it.trim().len() > 2).collect();
    let mut edits = vec![];
    for _ in 0..=random.below(3) {
        if lines.is_empty() {
            break;
        }
        let line = lines.remove(random.below(lines.len()));
        let mark = marks.in_line();
        edits.push((mark, edit(random, mark, line, matching)));
    }
    if edits.is_empty() {
        let mark = marks.in_line();
        edits.push((mark, json!({"oldText": "a text that stands nowhere", "newText": mark.to_string()})));
    }
    edits
}

fn edit(random: &mut Random, mark: char, line: &str, matching: &str) -> Value {
    let (core, whole) = (line.trim(), line.trim_end_matches(['\r', '\n']));
    let replaced = |old: &str| json!({"oldText": old, "newText": old.replacen(core, &format!("{mark}{core}"), 1)});
    match random.below(24) {
        // What everybody has more than once, with and without saying that all are meant.
        0 => json!({"oldText": EVERYWHERE, "newText": format!("{mark}{EVERYWHERE}")}),
        1 => json!({"oldText": EVERYWHERE, "newText": format!("{EVERYWHERE}{mark}"), "replaceAll": true}),
        2 => json!({
            "oldText": EVERYWHERE, "newText": format!("{EVERYWHERE}{mark}"), "replaceAll": true, "expectedOccurrences": 3,
        }),
        3 => json!({"oldText": EVERYWHERE, "newText": format!("{mark}{EVERYWHERE}"), "atLine": random.below(30)}),
        // As badly remembered as agents do.
        4 => {
            let old = format!("{core} or so");
            json!({"oldText": old, "newText": format!("{mark}{old}")})
        }
        5 if matching != "exact" => {
            let new = whole.replacen(core, &format!("{mark}{core}"), 1);
            json!({"oldText": format!("{whole}  "), "newText": new})
        }
        6 if matching == "lenient" => {
            let old = core.replace('"', "\u{201d}").replace(" - ", " \u{2013} ");
            json!({"oldText": old, "newText": format!("{mark}{old}")})
        }
        7..=12 => json!({"oldText": core, "newText": format!("{core}{mark}")}),
        _ => replaced(whole),
    }
}

/// Edits by line number, of lines that are told where they are replaced.
fn by_line(random: &mut Random, marks: &mut Marks, text: &str) -> Vec<(char, Value)> {
    let lines = lines(text);
    let at = random.below(lines.len());
    let mut edits = vec![];
    if random.below(2) == 0 {
        let mark = marks.whole_line();
        edits.push((mark, json!({"from": at, "newText": format!("{mark}\n")})));
    }
    if random.below(2) == 0 || edits.is_empty() {
        let (mark, line) = (marks.in_line(), lines[at]);
        edits.push((mark, json!({"from": at, "to": at, "newText": format!("{mark}{line}"), "expectedText": line})));
    }
    edits
}

/// The lines, each with its line break, as LSP has them; at least one.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = vec![];
    let (mut start, bytes) = (0, text.as_bytes());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
            lines.push(&text[start..=at]);
            start = at + 1;
        }
    }
    if start < text.len() || lines.is_empty() {
        lines.push(&text[start..]);
    }
    lines
}
