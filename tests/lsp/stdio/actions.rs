//! What a person can do about a conflict, beside the usual: other matchings, honest titles, what has become applicable,
//! files nobody has open.

use fake_editor::{Character, Editor, Folder, Setup, batch};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");
const A: &str = "file:///w/a.rs";

fn opened(text: &str) -> Editor {
    let mut editor = Editor::start(SERVER, Character::AnswersFirst);
    editor.open(A, text);
    editor
}

#[track_caller]
fn refused(editor: &mut Editor, params: Value) -> Value {
    let id = editor.agent_edit(params);
    let answer = editor.answer(id);
    assert_eq!(answer["error"]["data"]["code"], "EDIT_CONFLICT", "{answer}");
    answer["error"]["data"].clone()
}

fn titles(editor: &mut Editor, at: usize) -> Vec<String> {
    let actions = editor.code_actions(A, at..at);
    actions.iter().map(|it| it["title"].as_str().expect("a title").to_owned()).collect()
}

#[track_caller]
fn run(editor: &mut Editor, at: usize, title: &str) -> Value {
    let answer = editor.run_action(A, at..at, title);
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    answer["result"].clone()
}

/// The error of a command.
#[track_caller]
fn failed(editor: &mut Editor, command: &str, argument: Value) -> Value {
    let id = editor.execute(command, json!([argument]));
    let answer = editor.answer(id);
    assert!(answer["error"].is_object(), "{answer}");
    answer["error"].clone()
}

#[test]
fn white_space_alone_is_offered_to_be_ignored() {
    let mut editor = opened("if a {\n\tb();\n}\n");
    refused(&mut editor, batch(A, &[("if a {\n    b();\n}", "if a {\n    c();\n}"), ("none", "x")]));
    let actions = editor.code_actions(A, 0..0);
    let tolerant = actions.iter().find(|it| it["title"] == "Apply with tolerant matching").expect("it is offered");
    assert_eq!(tolerant["isPreferred"], true, "{tolerant}");
    assert_eq!(tolerant["diagnostics"][0]["data"]["edit"], 0, "{tolerant}");
    let result = run(&mut editor, 0, "Apply with tolerant matching");
    assert_eq!(editor.text(A), "if a {\n    c();\n}\n");
    assert_eq!(result["remaining"], 1, "{result}");
    editor.wait_until(|it| it.diagnostics(A).len() == 1);
    editor.finish();
}

#[test]
fn of_several_places_the_one_pointed_at_is_changed() {
    let text = "start\nx = 1\nmiddle\nx = 1\nend\n";
    let mut editor = opened(text);
    refused(&mut editor, batch(A, &[("x = 1", "x = 2")]));
    let second = text.rfind("x = 1").unwrap();
    run(&mut editor, second, "Apply edit 1 here");
    assert_eq!(editor.text(A), "start\nx = 1\nmiddle\nx = 2\nend\n");
    editor.wait_until(|it| it.diagnostics(A).is_empty());
    editor.finish();
}

#[test]
fn two_places_in_one_line_cannot_be_told_apart_and_are_not_offered() {
    let mut editor = opened("x x\n");
    refused(&mut editor, batch(A, &[("x", "y")]));
    assert_eq!(titles(&mut editor, 0)[..2], ["Apply edit 1 to all 2 places".to_owned(), "Show edit 1".to_owned()]);
    editor.finish();
}

#[test]
fn what_concerns_a_whole_batch_is_offered_once() {
    let mut editor = opened("one\n");
    refused(&mut editor, batch(A, &[("nowhere", ""), ("one", "1"), ("neither", "")]));
    let titles = titles(&mut editor, 0);
    for title in ["Discard edit 1", "Discard edit 3", "Apply the 1 edit that matches", "Discard all conflicts"] {
        assert_eq!(titles.iter().filter(|it| it.starts_with(title)).count(), 1, "{title} in {titles:?}");
    }
    editor.finish();
}

#[test]
fn an_edit_that_has_become_applicable_says_so_and_is_offered() {
    let mut editor = opened("one\ntwo\n");
    refused(&mut editor, batch(A, &[("three", "3"), ("one", "1")]));
    editor.type_before(A, "two", "three\n");
    editor
        .wait_until(|it| it.diagnostics(A)[0]["message"].as_str().is_some_and(|it| it.contains("can be applied now")));
    let pinned = editor.diagnostics(A)[0].clone();
    assert_eq!((&pinned["range"]["start"]["line"], &pinned["code"]), (&json!(1), &json!("not-found")), "{pinned}");
    let at = editor.text(A).find("three").unwrap();
    assert_eq!(
        titles(&mut editor, at)[..2],
        ["Apply edit 1 here".to_owned(), "Apply the 2 edits that match".to_owned()]
    );
    let result = run(&mut editor, at, "Apply the 2 edits that match");
    assert_eq!(result["remaining"], 0);
    assert_eq!(editor.text(A), "1\n3\ntwo\n");
    editor.wait_until(|it| it.diagnostics(A).is_empty());
    editor.finish();
}

#[test]
fn what_is_pending_can_be_listed() {
    let mut editor = opened("one\n");
    let data = refused(
        &mut editor,
        json!({
            "agent": "helper", "label": "Rename",
            "documents": [{"textDocument": {"uri": A}, "edits": [
                {"oldText": "one", "newText": "1"}, {"oldText": "nowhere", "newText": ""},
            ]}],
        }),
    );
    let id = editor.execute("agentEdit.conflicts", json!([]));
    let listed = editor.answer(id)["result"].clone();
    assert_eq!(listed[0]["batchId"], data["batchId"]);
    assert_eq!((&listed[0]["agent"], &listed[0]["label"]), (&json!("helper"), &json!("Rename")));
    assert_eq!(listed[0]["editCount"], 2);
    assert_eq!(listed[0]["failures"], data["failures"]);
    editor.finish();
}

#[test]
fn conflicts_of_a_file_nobody_has_open_are_pinned_in_it() {
    let folder = Folder::new("actions");
    folder.write("a.rs", "one\ntwo\n");
    let uri = folder.uri("a.rs");
    let setup = Setup { folders: vec![folder.uri("")], ..Setup::new(Character::ChangesFirst) };
    let mut editor = Editor::start_with(SERVER, setup);
    let data = refused(&mut editor, batch(&uri, &[("o", "0")]));
    assert!(data["failures"][0]["message"].is_string());
    assert_eq!(editor.diagnostics(&uri).len(), 2);
    let argument = json!({"batchId": data["batchId"], "uri": uri, "edit": 0});
    let id = editor.execute("agentEdit.applyAll", json!([argument]));
    let answer = editor.answer(id);
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    assert_eq!(editor.text(&uri), "0ne\ntw0\n");
    editor.wait_until(|it| it.diagnostics(&uri).is_empty());
    editor.finish();
}

#[test]
fn only_quick_fixes_are_given_and_only_to_who_wants_them() {
    let mut editor = opened("one\n");
    refused(&mut editor, batch(A, &[("nowhere", "")]));
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    let asked =
        |only: Value| json!({"textDocument": {"uri": A}, "range": range, "context": {"diagnostics": [], "only": only}});
    let id = editor.request("textDocument/codeAction", asked(json!(["refactor"])));
    assert_eq!(editor.answer(id)["result"], Value::Null);
    let id = editor.request("textDocument/codeAction", asked(json!(["quickfix"])));
    let offered = editor.answer(id)["result"].clone();
    assert!(offered.as_array().unwrap().iter().all(|it| it["kind"] == "quickfix"), "{offered}");
    assert_eq!(offered.as_array().unwrap().len(), 3, "{offered}");
    editor.finish();
}

#[test]
fn a_command_that_makes_no_sense_is_one_clear_error() {
    let mut editor = opened("one\n");
    let data = refused(&mut editor, batch(A, &[("nowhere", "")]));
    let check = |editor: &mut Editor, command: &str, argument: Value, code: i64, message: &str| {
        let error = failed(editor, command, argument);
        assert_eq!((&error["code"], &error["message"]), (&json!(code), &json!(message)));
    };
    check(&mut editor, "agentEdit.applyHere", json!({}), -32602, "batchId: missing");
    check(&mut editor, "agentEdit.applyHere", json!({"batchId": "b1"}), -32602, "uri: missing");
    check(
        &mut editor,
        "agentEdit.discard",
        json!({"batchId": "b1", "uri": A, "edit": -1}),
        -32602,
        "edit: expected a number from 0",
    );
    check(&mut editor, "agentEdit.discardAll", Value::Null, -32602, "params: expected an object");
    check(&mut editor, "agentEdit.frobnicate", json!({}), -32602, "command: there is no agentEdit.frobnicate");
    check(
        &mut editor,
        "agentEdit.applyMatching",
        json!({"batchId": "b77"}),
        -32803,
        "Not applied: batch b77 is no longer pending. Nothing was changed.",
    );
    let nowhere = json!({"batchId": data["batchId"], "uri": A, "edit": 0});
    let error = failed(&mut editor, "agentEdit.applyHere", nowhere);
    assert_eq!(error["data"]["code"], "NOT_APPLIED", "{error}");
    assert_eq!(editor.text(A), "one\n");
    editor.finish();
}

#[test]
fn edits_by_line_number_are_not_applied_to_other_lines() {
    let mut editor = opened("one\ntwo\nthree\n");
    let edits =
        json!([{"from": 1, "to": 1, "newText": "2"}, {"from": 2, "to": 2, "newText": "3", "expectedText": "x"}]);
    let params = json!({"documents": [{"textDocument": {"uri": A}, "edits": edits}]});
    let batch = refused(&mut editor, params)["batchId"].clone();
    assert!(titles(&mut editor, 8).contains(&"Apply the 1 edit that matches".to_owned()));
    editor.type_before(A, "one", "zero\n");
    let at = editor.text(A).find("two").unwrap();
    assert!(!titles(&mut editor, at).iter().any(|it| it.starts_with("Apply the")));
    failed(&mut editor, "agentEdit.applyMatching", json!({"batchId": batch}));
    assert_eq!(editor.text(A), "zero\none\ntwo\nthree\n");
    editor.type_over(A, 0..5, "");
    let id = editor.execute("agentEdit.applyMatching", json!([{"batchId": batch}]));
    let answer = editor.answer(id);
    assert_eq!((&answer["result"]["applied"], editor.text(A)), (&json!(true), "one\n2\nthree\n"), "{answer}");
    editor.finish();
}
