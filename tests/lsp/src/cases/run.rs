//! One case, through a running server and its editor.

use serde_json::{Value, json};

use super::case::{Case, Refuse, Right};
use super::verdict::{Done, Here, Outcome, Verdict, verdict};
use crate::editor::Editor;
use crate::positions::offset;
use crate::sha256::sha256;

/// Opens the case's document, sends its batch, does what the server wants, closes it, and judges. `matching` is for cases
/// that do not choose their own.
#[must_use]
#[track_caller]
pub fn run(editor: &mut Editor, case: &Case, matching: &str) -> Verdict {
    let uri = format!("file:///cases/{}.txt", case.id);
    editor.open(&uri, &case.doc);
    let mut params = case.options.clone().unwrap_or_else(|| json!({"matching": matching}));
    let document = json!({"uri": uri, "version": editor.version(&uri)});
    params["documents"] = json!([{"textDocument": document, "edits": case.edits}]);
    let id = editor.agent_edit(params);
    let answer = editor.answer(id);
    while editor.advance() {}
    let text = editor.text(&uri).to_owned();
    let here = merges(case, &answer).then(|| apply_here(editor, &uri, case));
    editor.close(&uri);
    // A document with odd line breaks may have been warned of.
    let _ = editor.take_messages();
    match done(&case.doc, text, &answer) {
        Ok(it) => Verdict { here, ..verdict(case, &it) },
        Err(fault) => Verdict::new(Outcome::Wrong, fault),
    }
}

/// Whether it was refused and may be merged by a person.
fn merges(case: &Case, answer: &Value) -> bool {
    let conflict = answer["error"]["data"]["code"] == "EDIT_CONFLICT";
    conflict && matches!(&case.right, Right::Derived { refuse: Refuse::May, .. })
}

/// What *Apply edit 1 here* makes of the document, or *Replace lines … with edit 1* where the edit does not merge.
fn apply_here(editor: &mut Editor, uri: &str, case: &Case) -> Here {
    editor.wait_until(|it| !it.diagnostics(uri).is_empty());
    let start = editor.diagnostics(uri)[0]["range"]["start"].clone();
    let at = offset(editor.text(uri), editor.setup.encoding, &start).expect("it was checked on arrival");
    let actions = editor.code_actions(uri, at..at);
    let title = |it: &Value| it["title"].as_str().unwrap_or_default().to_owned();
    let offered = actions.iter().find(|it| title(it) == "Apply edit 1 here" || title(it).starts_with("Replace line"));
    let Some(action) = offered else { return Here::NotOffered };
    let command = &action["command"];
    let id = editor.execute(command["command"].as_str().expect("it was checked"), command["arguments"].clone());
    let answer = editor.answer(id);
    while editor.advance() {}
    if !answer["error"].is_null() {
        return Here::Wrong(format!("{action} was answered by {answer}"));
    }
    match case.judge_here(editor.text(uri)) {
        // The title has said that the region's own text is lost.
        Here::Wrong(_) if title(action).starts_with("Replace") => Here::Replaced,
        here => here,
    }
}

/// What was done, the error where the answer is not true of the editor's text, or no answer to a batch at all.
fn done(doc: &str, text: String, answer: &Value) -> Result<Done, String> {
    let result = &answer["result"];
    if result["applied"] == true {
        if result["documents"][0]["sha256"] != sha256(&text) {
            return Err(format!("the editor has another text than the answer says: {answer}"));
        }
        return Ok(Done::Applied { text, result: result.clone() });
    }
    let data = &answer["error"]["data"];
    match data["failures"].as_array() {
        Some(failures) if data["code"] == "EDIT_CONFLICT" && !failures.is_empty() && text == doc => {
            Ok(Done::Refused { failures: failures.clone() })
        }
        Some(_) if text != doc => Err(format!("refused, and yet changed: {answer}")),
        _ => Err(format!("not answered as a batch: {answer}")),
    }
}
