//! SEARCH/REPLACE blocks.

use super::rows::is_closed;
use crate::batch::{Change, Document, EditKind, Over};
use crate::blocks::{free_length, has_escapes, is_head};
use crate::names;

pub(super) fn document(document: &Document) -> Result<String, &'static str> {
    let name = name(&document.name)?;
    match &document.change {
        Change::Edit(edits) => edits.iter().map(|it| edit(&name, &it.kind)).collect(),
        Change::Create { content, over: Over::Empty } if !content.is_empty() => block(&name, None, "", content),
        Change::Create { .. } => Err("a new file, unless one that is empty may be there, and with content"),
        Change::Delete { .. } | Change::Rename { .. } => Err("a file that is deleted or renamed"),
    }
}

/// The name, in code where it would be prose otherwise.
fn name(name: &str) -> Result<String, &'static str> {
    let written = [name.to_owned(), format!("`{name}`")];
    let is_line = |it: &&String| !it.contains('\n') && names::on_line(it) == Some(name);
    written.iter().find(is_line).cloned().ok_or(super::NAME)
}

fn edit(name: &str, kind: &EditKind) -> Result<String, &'static str> {
    match kind {
        EditKind::Lines { .. } | EditKind::Insert { .. } => Err(super::NUMBERED),
        EditKind::Replace(it) if it.replace_all || it.expected_occurrences.is_some() => Err(super::OCCURRENCES),
        EditKind::Replace(it) if !it.hints.whole_lines => Err(super::PARTS),
        EditKind::Replace(it) if it.hints.at_end || !it.hints.narrow.is_empty() => {
            Err("what stands above an edit or below")
        }
        EditKind::Replace(it) if it.old_text.trim().is_empty() => Err("an edit that seeks blank lines"),
        EditKind::Replace(it) => block(name, it.hints.at_line, &it.old_text, &it.new_text),
    }
}

fn block(name: &str, at_line: Option<usize>, old: &str, new: &str) -> Result<String, &'static str> {
    if !is_closed(old) || !is_closed(new) {
        return Err("a last line without a line break");
    }
    if has_escapes(old) || has_escapes(new) || (at_line.is_none() && is_head(old)) {
        return Err("lines that look like those of a block");
    }
    let len = free_length([old, new]);
    let [left, middle, right] = ["<", "=", ">"].map(|it| it.repeat(len));
    let head = at_line.map(|it| format!(":start_line:{}\n-------\n", it + 1)).unwrap_or_default();
    Ok(format!("{name}\n{left} SEARCH\n{head}{old}{middle}\n{new}{right} REPLACE\n"))
}
