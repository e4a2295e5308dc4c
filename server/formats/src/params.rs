//! A batch as the parameters of `workspace/agentEdit`, whatever it was written as.

use serde_json::{Map, Value, json};

use crate::batch::{Batch, Change, Document, Edit, EditKind, Over, Replace};
use crate::place::Problem;
use crate::settle::{Settled, settle};

/// The parameters of `workspace/agentEdit` that ask for what `batch` asks for, names as they are written. `text` is asked
/// for the document of a name, `None` where there is none: hints are settled in it. Parameters that were read as such
/// come out as they stood there.
pub fn params(batch: &Batch, mut text: impl FnMut(&str) -> Option<String>) -> Result<Value, Vec<Problem>> {
    if let Some(params) = &batch.params {
        return Ok(params.clone());
    }
    let mut problems = Vec::new();
    let mut documents = Vec::new();
    for document in &batch.documents {
        let text = text(&document.name);
        documents.extend(entries(document, text.as_deref(), &mut problems));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut params = json!({ "documents": documents });
    if batch.format.speaks_of_the_base() {
        params["anchoring"] = json!("original");
    }
    Ok(params)
}

fn entries(document: &Document, text: Option<&str>, problems: &mut Vec<Problem>) -> Vec<Value> {
    let name = &document.name;
    let mut wrong = |message: String| problems.push(Problem::new(document.place, message));
    match &document.change {
        Change::Create { content, over: Over::Empty } => match text {
            None => vec![json!({ "create": { "uri": name, "content": content } })],
            Some("" | "\u{feff}") => {
                let edits = [json!({ "oldText": "", "newText": content })];
                vec![json!({ "textDocument": { "uri": name }, "edits": edits })]
            }
            Some(_) => {
                wrong(format!("{name} is not empty: what is to be put there says not where"));
                vec![]
            }
        },
        Change::Create { content, over } => {
            let mut create = json!({ "uri": name, "content": content });
            if *over == Over::Anything {
                create["overwrite"] = json!(true);
            }
            vec![json!({ "create": create })]
        }
        Change::Delete { expected } => {
            if expected.as_deref().zip(text).is_some_and(|(expected, text)| !same_lines(expected, text)) {
                wrong(format!("{name} does not hold what is to be deleted with it"));
            }
            vec![json!({ "delete": { "uri": name } })]
        }
        Change::Edit(edits) => vec![edited(name, edits, text, problems)],
        Change::Rename { to, edits } => {
            let renamed = json!({ "rename": { "oldUri": name, "newUri": to } });
            let edited = (!edits.is_empty()).then(|| edited(name, edits, text, problems));
            edited.into_iter().chain([renamed]).collect()
        }
    }
}

fn same_lines(a: &str, b: &str) -> bool {
    a.trim_end().lines().map(str::trim_end).eq(b.trim_end().lines().map(str::trim_end))
}

fn edited(name: &str, edits: &[Edit], text: Option<&str>, problems: &mut Vec<Problem>) -> Value {
    let mut written = Vec::new();
    for edit in edits {
        match one(edit, text) {
            Ok(edit) => written.push(edit),
            Err(message) => problems.push(Problem::new(edit.place, message)),
        }
    }
    json!({ "textDocument": { "uri": name }, "edits": written })
}

fn one(edit: &Edit, text: Option<&str>) -> Result<Value, String> {
    match &edit.kind {
        EditKind::Replace(replace) => {
            let settled = text.map_or(Settled::Look { at_line: replace.hints.at_line }, |it| settle(it, replace));
            match settled {
                Settled::Look { at_line } => Ok(find_replace(replace, at_line)),
                Settled::InsideLine { line } => {
                    Err(format!("these lines do not stand there: on line {}, they are a part of longer ones", line + 1))
                }
                Settled::NotAtEnd => Err("these lines stand there, but not at the end of the document".to_owned()),
            }
        }
        EditKind::Lines { from, to, new_text, expected_text } => {
            let mut edit = json!({ "from": from, "to": to, "newText": new_text });
            if let Some(expected) = expected_text {
                edit["expectedText"] = json!(expected);
            }
            Ok(edit)
        }
        EditKind::Insert { from, new_text } => Ok(json!({ "from": from, "newText": new_text })),
    }
}

/// The fields of a find/replace edit, those of a feature only where they say something.
pub(crate) fn find_replace(replace: &Replace, at_line: Option<usize>) -> Value {
    let mut fields = Map::new();
    fields.insert("oldText".to_owned(), json!(replace.old_text));
    fields.insert("newText".to_owned(), json!(replace.new_text));
    if replace.replace_all {
        fields.insert("replaceAll".to_owned(), json!(true));
    }
    if let Some(expected) = replace.expected_occurrences {
        fields.insert("expectedOccurrences".to_owned(), json!(expected));
    }
    if let Some(line) = at_line {
        fields.insert("atLine".to_owned(), json!(line));
    }
    Value::Object(fields)
}
