//! One case, through a running server and its editor.

use serde_json::{Value, json};

use super::case::Case;
use super::verdict::{Done, Outcome, Verdict, verdict};
use crate::editor::Editor;
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
    editor.close(&uri);
    // A document with odd line breaks may have been warned of.
    let _ = editor.take_messages();
    match done(&case.doc, text, &answer) {
        Ok(it) => verdict(case, &it),
        Err(fault) => Verdict::new(Outcome::Wrong, fault),
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
