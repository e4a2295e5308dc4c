//! A person is shown what an edit would do, in whichever way the editor has.

use std::fs;
use std::path::PathBuf;

use fake_editor::{Character, Editor, Setup, batch};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");
const A: &str = "file:///w/a.rs";
const TEXT: &str = "fn a() {\n    let x = old(1);\n    done();\n}\n";
const STALE: (&str, &str) = ("    let x = old(2);\n    done();", "    let y = old(2);\n    done();");

#[track_caller]
fn refused(editor: &mut Editor, edit: (&str, &str)) -> String {
    let id = editor.agent_edit(batch(A, &[edit]));
    let answer = editor.answer(id);
    assert_eq!(answer["error"]["data"]["code"], "EDIT_CONFLICT", "{answer}");
    answer["error"]["data"]["batchId"].as_str().expect("an id").to_owned()
}

/// What the command says, and what the editor was asked to show.
#[track_caller]
fn shown(editor: &mut Editor, at: usize) -> (Value, Vec<Value>) {
    let answer = editor.run_action(A, at..at, "Show edit 1");
    assert!(answer["result"]["diff"].is_string(), "{answer}");
    (answer["result"].clone(), editor.take_shown())
}

#[test]
fn an_editor_with_a_diff_of_its_own_gets_both_sides() {
    let mut editor = Editor::start_with(SERVER, Setup { shows_edits: true, ..Setup::new(Character::AnswersFirst) });
    editor.open(A, TEXT);
    refused(&mut editor, STALE);
    let (result, shown) = shown(&mut editor, TEXT.find("let").unwrap());
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert_eq!(shown[0]["left"]["text"], "    let x = old(1);\n    done();");
    assert_eq!(shown[0]["left"]["range"]["start"], json!({"line": 1, "character": 0}));
    assert_eq!(shown[0]["left"]["uri"], A);
    assert_eq!(shown[0]["right"]["text"], "    let y = old(1);\n    done();");
    assert!(result["diff"].as_str().unwrap().contains("-    let x = old(1);\n+    let y = old(1);\n"), "{result}");
    assert_eq!(editor.text(A), TEXT);
    editor.finish();
}

#[test]
fn others_open_a_file_that_is_gone_with_the_server() {
    for character in [Character::AnswersFirst, Character::ChangesFirst, Character::InPieces] {
        let mut editor = Editor::start(SERVER, character);
        editor.open(A, TEXT);
        refused(&mut editor, STALE);
        let (result, shown) = shown(&mut editor, TEXT.find("let").unwrap());
        let path = PathBuf::from(shown[0]["uri"].as_str().unwrap().strip_prefix("file://").unwrap());
        assert_eq!(path.extension().unwrap(), "diff");
        assert_eq!(fs::read_to_string(&path).unwrap(), result["diff"].as_str().unwrap());
        editor.finish();
        assert!(!path.exists() && !path.parent().unwrap().exists(), "{path:?}");
    }
}

#[test]
fn who_shows_documents_without_a_file_reads_one_from_the_server() {
    let mut editor = Editor::start_with(SERVER, Setup { shows_virtual: true, ..Setup::new(Character::AnswersFirst) });
    editor.open(A, TEXT);
    refused(&mut editor, STALE);
    let (result, shown) = shown(&mut editor, TEXT.find("let").unwrap());
    let uri = shown[0]["uri"].as_str().unwrap();
    assert!(uri.starts_with("agent-edit:/"), "{uri}");
    let id = editor.request("workspace/textDocumentContent", json!({"uri": uri}));
    assert_eq!(editor.answer(id)["result"]["text"], result["diff"]);
    let id = editor.request("workspace/textDocumentContent", json!({"uri": "agent-edit:/none"}));
    assert_eq!(editor.answer(id)["error"]["data"]["code"], "NOT_FOUND");
    editor.finish();
}

#[test]
fn of_several_places_the_one_pointed_at_is_shown() {
    let text = "start\nx = 1\nmiddle\nx = 1\nend\n";
    let mut editor = Editor::start(SERVER, Character::AnswersFirst);
    editor.open(A, text);
    refused(&mut editor, ("x = 1", "x = 2"));
    let (result, _) = shown(&mut editor, text.rfind("x = 1").unwrap());
    let diff = result["diff"].as_str().unwrap();
    assert!(diff.contains(" middle\n-x = 1\n+x = 2\n end\n"), "{diff}");
    editor.finish();
}

#[test]
fn an_edit_without_a_place_shows_its_own_texts() {
    let mut editor = Editor::start(SERVER, Character::AnswersFirst);
    editor.open(A, TEXT);
    refused(&mut editor, ("nothing like it", "something else"));
    let (result, _) = shown(&mut editor, 0);
    assert!(result["diff"].as_str().unwrap().contains("-nothing like it"), "{result}");
    assert!(result["title"].as_str().unwrap().contains("no place"), "{result}");
    editor.finish();
}

#[test]
fn what_is_no_longer_pending_is_not_shown() {
    let mut editor = Editor::start(SERVER, Character::AnswersFirst);
    editor.open(A, TEXT);
    let batch = refused(&mut editor, ("nothing like it", "something else"));
    for argument in [json!({"batchId": "b99", "uri": A, "edit": 0}), json!({"batchId": batch, "uri": A, "edit": 7})] {
        let id = editor.execute("agentEdit.showEdit", json!([argument]));
        let answer = editor.answer(id);
        assert_eq!(answer["error"]["data"]["code"], "NOT_APPLIED", "{answer}");
    }
    editor.finish();
}
