//! Conflicts in an editor that asks for its diagnostics: told that they are others, never what they are.

use fake_editor::{Character, Editor, Server, Setup, batch, notification, request};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");
const A: &str = "file:///a.txt";
const B: &str = "file:///b.txt";
const TEXT: &str = "one\ntwo\ntwo\n";

fn editor(character: Character) -> Editor {
    let options = json!({"diagnostics": "pull", "settings": {"diagnoseDelay": 0}});
    let mut editor = Editor::start_with(SERVER, Setup { options, ..Setup::new(character) });
    assert_eq!(
        editor.capabilities["diagnosticProvider"],
        json!({"identifier": "agent-edit", "interFileDependencies": true, "workspaceDiagnostics": false})
    );
    editor.open(A, TEXT);
    editor.open(B, "blue\n");
    editor
}

#[track_caller]
fn refuse(editor: &mut Editor, uri: &str, old: &str) -> Value {
    let id = editor.agent_edit(batch(uri, &[(old, "2")]));
    let answer = editor.answer(id);
    assert_eq!(answer["error"]["data"]["code"], "EDIT_CONFLICT", "{answer}");
    answer["error"]["data"]["batchId"].clone()
}

fn lines(editor: &Editor) -> Vec<u64> {
    editor.diagnostics(A).iter().filter_map(|it| it["range"]["start"]["line"].as_u64()).collect()
}

#[test]
fn what_is_asked_for_is_what_there_is() {
    for character in [Character::AnswersFirst, Character::InPieces] {
        let mut editor = editor(character);
        assert!(editor.pull(A) && editor.diagnostics(A).is_empty());
        let id = refuse(&mut editor, A, "two");
        assert!(editor.pull(A));
        assert_eq!(lines(&editor), [1, 2]);
        assert!(!editor.pull(A), "nothing has changed");
        editor.type_over(A, 0..0, "typed\n");
        assert!(editor.pull(A));
        assert_eq!(lines(&editor), [2, 3]);
        let action = editor.code_actions(A, 6 + 4..6 + 4);
        assert!(!action.is_empty());
        let id = editor.execute("agentEdit.discardAll", json!([{"batchId": id}]));
        assert!(editor.answer(id)["error"].is_null());
        assert!(editor.pull(A) && editor.diagnostics(A).is_empty());
        editor.finish();
    }
}

#[test]
fn it_is_told_to_ask_again_where_it_cannot_know() {
    let mut editor = editor(Character::AnswersFirst);
    let id = refuse(&mut editor, A, "two");
    editor.wait_until(|it| it.refreshes() == 1);
    editor.pull(A);
    editor.configure(json!({"agentEdit": {"severity": "hint"}}));
    editor.wait_until(|it| it.refreshes() == 2);
    assert!(editor.pull(A));
    assert_eq!(editor.diagnostics(A)[0]["severity"], 4);
    let id = editor.execute("agentEdit.discardAll", json!([{"batchId": id}]));
    editor.answer(id);
    editor.wait_until(|it| it.refreshes() == 3);
    editor.finish();
}

#[test]
fn what_stands_in_another_document_is_a_part_of_it() {
    let mut editor = editor(Character::AnswersFirst);
    refuse(&mut editor, A, "a text that is longer");
    editor.pull(A);
    editor.type_over(B, 0..0, "a text that is longer\n");
    assert!(editor.pull(A));
    let message = editor.diagnostics(A)[0]["message"].to_string();
    assert!(message.contains("b.txt"), "{message}");
    editor.finish();
}

#[test]
fn an_answer_is_for_the_text_that_was_seen() {
    let mut editor = editor(Character::AnswersFirst);
    refuse(&mut editor, A, "two");
    let first = editor.ask_for_diagnostics(A);
    editor.type_over(A, 0..0, "typed\n");
    let second = editor.ask_for_diagnostics(A);
    let line = |answer: Value| answer["result"]["items"][0]["range"]["start"]["line"].clone();
    assert_eq!((line(editor.answer(first)), line(editor.answer(second))), (json!(1), json!(2)));
    editor.finish();
}

#[test]
fn a_document_that_cannot_be_followed_keeps_what_it_is_shown_with() {
    let mut editor = editor(Character::InPieces);
    refuse(&mut editor, A, "two");
    editor.pull(A);
    // Neovim counts no line break there.
    editor.type_over(A, 0..0, "lone\rtyped");
    assert_eq!(editor.wait_for_messages().len(), 1);
    assert!(!editor.pull(A));
    assert_eq!(lines(&editor), [1, 2]);
    editor.type_over(A, 4..5, "");
    let text = editor.text(A).to_owned();
    editor.type_whole(A, 0..text.len(), &text);
    editor.finish();
}

/// The answer to a request for diagnostics by a client that announces this.
fn answer_to(text_document: Value) -> Value {
    let mut server = Server::start(SERVER);
    server.send(&request(0, "initialize", json!({"capabilities": {"textDocument": text_document}})));
    let offered = server.answer(0)["result"]["capabilities"]["diagnosticProvider"].is_object();
    server.send(&notification("initialized", json!({})));
    let document = json!({"uri": A, "languageId": "text", "version": 1, "text": TEXT});
    server.send(&notification("textDocument/didOpen", json!({"textDocument": document})));
    server.send(&request(1, "textDocument/diagnostic", json!({"textDocument": {"uri": A}})));
    let answer = server.answer(1);
    assert_eq!(offered, answer["error"].is_null(), "{answer}");
    answer
}

#[test]
fn who_can_only_ask_is_answered_and_who_is_told_is_not() {
    assert_eq!(answer_to(json!({"diagnostic": {}}))["result"]["items"], json!([]));
    assert_eq!(answer_to(json!({"diagnostic": {}, "publishDiagnostics": {}}))["error"]["code"], -32601);
    assert_eq!(answer_to(json!({}))["error"]["code"], -32601);
}
