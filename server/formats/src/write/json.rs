//! JSON: the parameters of `workspace/agentEdit`, and calls of tools, one a line.

use serde_json::{Value, json};

use crate::batch::{Change, Document, Edit, EditKind, Hints, Over, Replace};
use crate::params::find_replace;

pub(super) fn params(entries: &[String]) -> String {
    format!("{{\"documents\":[\n{}\n]}}\n", entries.join(",\n"))
}

pub(super) fn entry(document: &Document) -> Result<String, &'static str> {
    let uri = &document.name;
    let entry = match &document.change {
        Change::Edit(edits) => {
            let edits = edits.iter().map(|it| edit(&it.kind)).collect::<Result<Vec<_>, _>>()?;
            json!({ "textDocument": { "uri": uri }, "edits": edits })
        }
        Change::Create { over: Over::Empty, .. } => return Err("a new file where an empty one may be there"),
        Change::Create { content, over } => {
            json!({ "create": { "uri": uri, "content": content, "overwrite": *over == Over::Anything } })
        }
        Change::Delete { expected: None } => json!({ "delete": { "uri": uri } }),
        Change::Delete { .. } => return Err("what a deleted file holds"),
        Change::Rename { to, edits } if edits.is_empty() => json!({ "rename": { "oldUri": uri, "newUri": to } }),
        Change::Rename { .. } => return Err("edits of a file that is renamed"),
    };
    Ok(entry.to_string())
}

fn edit(kind: &EditKind) -> Result<Value, &'static str> {
    match kind {
        EditKind::Replace(it) => {
            plain(&it.hints)?;
            Ok(find_replace(it, it.hints.at_line))
        }
        EditKind::Lines { from, to, new_text, expected_text: None } => {
            Ok(json!({ "from": from, "to": to, "newText": new_text }))
        }
        EditKind::Lines { from, to, new_text, expected_text } => {
            Ok(json!({ "from": from, "to": to, "newText": new_text, "expectedText": expected_text }))
        }
        EditKind::Insert { from, new_text } => Ok(json!({ "from": from, "newText": new_text })),
    }
}

fn plain(hints: &Hints) -> Result<(), &'static str> {
    let is_plain = !hints.whole_lines && !hints.at_end && hints.narrow.is_empty();
    if is_plain { Ok(()) } else { Err("whole lines, and what stands above or below them") }
}

pub(super) fn calls(document: &Document) -> Result<String, &'static str> {
    let path = &document.name;
    let calls = match &document.change {
        Change::Edit(edits) if edits.len() > 1 && edits.iter().any(|it| matches!(it.kind, EditKind::Insert { .. })) => {
            return Err("edits by line numbers beside others");
        }
        Change::Edit(edits) => edits.iter().map(|it| call(path, it)).collect::<Result<Vec<_>, _>>()?,
        Change::Create { content, over } => vec![match over {
            Over::Nothing => json!({ "command": "create", "path": path, "file_text": content }),
            Over::Empty => json!({ "file_path": path, "old_string": "", "new_string": content }),
            Over::Anything => json!({ "name": "Write", "input": { "file_path": path, "content": content } }),
        }],
        Change::Delete { .. } | Change::Rename { .. } => return Err("a file that is deleted or renamed"),
    };
    Ok(calls.iter().map(|it| format!("{it}\n")).collect())
}

fn call(path: &str, edit: &Edit) -> Result<Value, &'static str> {
    match &edit.kind {
        EditKind::Lines { .. } => Err(super::NUMBERED),
        EditKind::Insert { from, new_text } => {
            Ok(json!({ "command": "insert", "path": path, "insert_line": from, "insert_text": new_text }))
        }
        EditKind::Replace(it) if it.old_text.is_empty() => Err("an edit that seeks nothing"),
        EditKind::Replace(it) => replace(path, it),
    }
}

fn replace(path: &str, replace: &Replace) -> Result<Value, &'static str> {
    plain(&replace.hints)?;
    if replace.hints.at_line.is_some() {
        return Err("the line of an edit");
    }
    let mut call = json!({ "file_path": path, "old_string": replace.old_text, "new_string": replace.new_text });
    if replace.replace_all {
        call["replace_all"] = json!(true);
    }
    if let Some(expected) = replace.expected_occurrences {
        if expected > 1 && !replace.replace_all {
            return Err("a number of places of which one is meant");
        }
        call["expected_replacements"] = json!(expected);
    }
    Ok(call)
}
