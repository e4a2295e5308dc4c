//! File operations in words, in the answer, and as a diff.

use agent_edit_engine::Text;

use super::{Action, FileChange, Held, Operation, What};
use crate::batch::Mode;
use crate::protocol::{AppliedEdit, DocumentResult, ShowEditParams, ShownSide, VersionedIdentifier};
use crate::showing::Shown;
use crate::snapshot::sha256;
use crate::to_proto;

/// One operation in the answer.
pub(crate) fn result(change: &FileChange, mode: Mode) -> DocumentResult {
    let uri = |it: &super::Place| VersionedIdentifier { uri: it.uri.as_str().to_owned(), version: None };
    let (text_document, base_sha256, sha256, applied) = match &change.action {
        Action::Create { file, content } => {
            let content_length = content.as_str().chars().count();
            let applied = AppliedEdit::Create { content_length, overwritten: false, no_change: false };
            (uri(file), None, Some(sha256(content.as_str())), applied)
        }
        Action::Delete { file, held } => (uri(file), held.sha256.clone(), None, AppliedEdit::Delete),
        Action::Rename { old, new, held } => {
            let applied = AppliedEdit::Rename { old_uri: old.uri.as_str().to_owned() };
            (uri(new), held.sha256.clone(), held.sha256.clone(), applied)
        }
    };
    DocumentResult {
        text_document,
        base_sha256,
        sha256,
        applied_edits: vec![applied],
        matches: None,
        text_edits: None,
        diff: (mode == Mode::Preview).then(|| diff(change)),
        saved: None,
        warnings: vec![],
    }
}

/// One operation beside what is there now.
pub(crate) fn shown(change: &FileChange, agent: &str) -> Shown {
    let side = |title: String, text: &str| ShownSide { title, text: text.to_owned(), uri: None, range: None };
    let text = |held: &Held| held.text.as_ref().map_or("(no text)", Text::as_str).to_owned();
    let (before, after) = match &change.action {
        Action::Create { content, .. } => (String::new(), content.as_str().to_owned()),
        Action::Delete { held, .. } => (text(held), String::new()),
        Action::Rename { held, .. } => (text(held), text(held)),
    };
    let what = named(std::slice::from_ref(change), 1);
    let left = side(format!("{} as it is", change.place().name), &before);
    let right = side(format!("{what}, as {agent} would have it"), &after);
    let title = format!("{what}: what {agent} asks for");
    Shown { sides: ShowEditParams { title, left, right }, diff: diff(change) }
}

/// What it does, as Git writes it.
fn diff(change: &FileChange) -> String {
    match &change.action {
        Action::Create { file, content } => to_proto::file_diff(&file.name, None, Some(content.as_str())),
        Action::Delete { file, held } => match &held.text {
            Some(text) => to_proto::file_diff(&file.name, Some(text.as_str()), None),
            None => {
                let name = &file.name;
                format!("diff --git a/{name} b/{name}\ndeleted file\nBinary files a/{name} and /dev/null differ\n")
            }
        },
        Action::Rename { old, new, .. } => {
            let (old, new) = (&old.name, &new.name);
            format!("diff --git a/{old} b/{new}\nsimilarity index 100%\nrename from {old}\nrename to {new}\n")
        }
    }
}

/// How many files are created, overwritten, renamed and deleted, in words; empty for none.
pub(crate) fn counted(changes: &[FileChange], overwritten: usize, mode: Mode) -> String {
    let count = |kind: &str| changes.iter().filter(|it| it.kind() == kind).count();
    let be = if mode == Mode::Preview { "would be " } else { "" };
    [
        (count("create"), "created"),
        (overwritten, "overwritten"),
        (count("rename"), "renamed"),
        (count("delete"), "deleted"),
    ]
    .into_iter()
    .filter(|it| it.0 > 0)
    .map(|(count, done)| format!("{count} {} {be}{done}", files(count)))
    .collect::<Vec<_>>()
    .join(", ")
}

/// `report`, with a word on the operations that were not done either, behind its first line.
pub(crate) fn reported(report: &str, operations: &[&Operation]) -> String {
    let dropped = dropped(operations);
    match report.split_once('\n') {
        _ if dropped.is_empty() => report.to_owned(),
        Some((first, rest)) => format!("{first}\n{dropped}\n{rest}"),
        None => format!("{report}\n{dropped}"),
    }
}

/// What is said of the operations of a batch whose edits are refused; empty for none.
pub(crate) fn dropped(operations: &[&Operation]) -> String {
    let count = |of: fn(&What) -> bool| operations.iter().filter(|it| of(&it.what)).count();
    let kinds = [
        (count(|it| matches!(it, What::Create { .. })), "create"),
        (count(|it| matches!(it, What::Rename { .. })), "rename"),
        (count(|it| matches!(it, What::Delete { .. })), "delete"),
    ];
    let kinds: Vec<_> = kinds.iter().filter(|it| it.0 > 0).map(|(count, kind)| format!("{count} {kind}")).collect();
    match operations.len() {
        0 => String::new(),
        1 => format!("Its file operation ({}) was not done and is not kept.", kinds.join(", ")),
        _ => format!("Its file operations ({}) were not done and are not kept.", kinds.join(", ")),
    }
}

/// The operations for a person who is asked about them, `limit` of them by name.
pub(crate) fn named(changes: &[FileChange], limit: usize) -> String {
    let one = |it: &FileChange| match &it.action {
        Action::Rename { old, new, .. } => format!("rename {} to {}", old.name, new.name),
        _ => format!("{} {}", it.kind(), it.place().name),
    };
    let mut named: Vec<_> = changes.iter().take(limit).map(one).collect();
    if changes.len() > limit {
        named.push(format!("{} more file operations", changes.len() - limit));
    }
    named.join(", ")
}

fn files(count: usize) -> &'static str {
    if count == 1 { "file" } else { "files" }
}
