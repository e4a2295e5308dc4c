//! A unified diff, as Git writes it.

use super::rows::{hunk, lines};
use crate::batch::{Change, Document, Edit, Over};
use crate::names;
use crate::unified::range_of;

const OPEN: &str = "\\ No newline at end of file\n";

pub(super) fn document(document: &Document) -> Result<String, &'static str> {
    let (a, b) = (name("a/", &document.name)?, name("b/", &document.name)?);
    match &document.change {
        Change::Edit(edits) => Ok(format!("--- {a}\n+++ {b}\n{}", hunks(edits)?)),
        Change::Create { content, over: Over::Nothing } if content.is_empty() => {
            Ok(format!("diff --git {a} {b}\nnew file mode 100644\n"))
        }
        Change::Create { content, over: Over::Nothing } => {
            Ok(format!("--- /dev/null\n+++ {b}\n@@ -0,0 +1,{} @@\n{}", count(content), lines("", content, OPEN)))
        }
        Change::Create { content, over: Over::Empty } if !content.is_empty() => {
            Ok(format!("--- {a}\n+++ {b}\n@@ -0,0 +1,{} @@\n{}", count(content), lines("", content, OPEN)))
        }
        Change::Create { .. } => Err("a new file in place of another, or an empty one that may be there"),
        Change::Delete { expected: None } => Ok(format!("diff --git {a} {b}\ndeleted file mode 100644\n")),
        Change::Delete { expected: Some(expected) } if expected.is_empty() => Err("a deleted file that holds nothing"),
        Change::Delete { expected: Some(expected) } => {
            Ok(format!("--- {a}\n+++ /dev/null\n@@ -1,{} +0,0 @@\n{}", count(expected), lines(expected, "", OPEN)))
        }
        Change::Rename { to, .. } if *to == document.name => Err("a new name that is the old one"),
        Change::Rename { to, edits } => {
            let (b, from, bare) = (name("b/", to)?, name("", &document.name)?, name("", to)?);
            let sides = if edits.is_empty() { String::new() } else { format!("--- {a}\n+++ {b}\n") };
            Ok(format!("diff --git {a} {b}\nrename from {from}\nrename to {bare}\n{sides}{}", hunks(edits)?))
        }
    }
}

fn name(prefix: &str, name: &str) -> Result<String, &'static str> {
    if name.is_empty() { Err(super::NAME) } else { Ok(names::quoted(&format!("{prefix}{name}"))) }
}

fn count(text: &str) -> usize {
    text.split_inclusive('\n').count()
}

fn hunks(edits: &[Edit]) -> Result<String, &'static str> {
    edits.iter().map(one).collect()
}

fn one(edit: &Edit) -> Result<String, &'static str> {
    let replace = hunk(&edit.kind)?;
    if !replace.hints.narrow.is_empty() {
        return Err("what stands above an edit");
    }
    if replace.hints.at_end == replace.old_text.ends_with('\n') {
        return Err("the end of a document, unless its last line has no line break");
    }
    let head = match replace.hints.at_line {
        Some(line) => range_of(line, &replace.old_text, &replace.new_text),
        None => "@@ ... @@\n".to_owned(),
    };
    Ok(head + &lines(&replace.old_text, &replace.new_text, OPEN))
}
