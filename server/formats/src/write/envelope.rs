//! The sections of a patch envelope.

use super::rows::{hunk, is_closed, lines};
use crate::batch::{Change, Document, Edit, Over};
use crate::unified;

pub(super) fn document(document: &Document) -> Result<String, &'static str> {
    let name = name(&document.name)?;
    match &document.change {
        Change::Edit(edits) => Ok(format!("*** Update File: {name}\n{}", hunks(edits)?)),
        Change::Rename { to, edits } => {
            Ok(format!("*** Update File: {name}\n*** Move to: {}\n{}", self::name(to)?, hunks(edits)?))
        }
        Change::Create { content, over: Over::Nothing } if is_closed(content) => {
            Ok(format!("*** Add File: {name}\n{}", lines("", content, "")))
        }
        Change::Create { .. } => Err("a new file, unless none may be there, and its last line ends"),
        Change::Delete { expected: None } => Ok(format!("*** Delete File: {name}\n")),
        Change::Delete { .. } => Err("what a deleted file holds"),
    }
}

fn name(name: &str) -> Result<&str, &'static str> {
    let is_line = !name.is_empty() && name.trim() == name && !name.contains(['\n', '\r']);
    if is_line { Ok(name) } else { Err(super::NAME) }
}

fn hunks(edits: &[Edit]) -> Result<String, &'static str> {
    edits.iter().map(one).collect()
}

fn one(edit: &Edit) -> Result<String, &'static str> {
    let replace = hunk(&edit.kind)?;
    if !is_closed(&replace.old_text) || !is_closed(&replace.new_text) {
        return Err("a last line without a line break");
    }
    let mut out = String::new();
    for line in &replace.hints.narrow {
        let is_context = !line.is_empty() && line.trim() == line && !line.contains(['\n', '\r']);
        if !is_context || unified::range(&format!(" {line}")).is_some() {
            return Err("what stands above an edit, unless it is a line");
        }
        out.push_str(&format!("@@ {line}\n"));
    }
    match replace.hints.at_line {
        Some(line) => out.push_str(&unified::range_of(line, &replace.old_text, &replace.new_text)),
        None if out.is_empty() => out.push_str("@@\n"),
        None => {}
    }
    out.push_str(&lines(&replace.old_text, &replace.new_text, ""));
    if replace.hints.at_end {
        out.push_str("*** End of File\n");
    }
    Ok(out)
}
