//! A person takes back what a batch did, for as long as it stands.

use fake_editor::{Character, Editor, Setup, batch, document};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");
const A: &str = "file:///w/a.rs";
const B: &str = "file:///w/b.rs";
const TEXT: &str = "one\ntwo\nthree\nfour\nfive\n";

fn opened(character: Character) -> Editor {
    let options = json!({"timeouts": {"settle": 300}});
    let mut editor = Editor::start_with(SERVER, Setup { options, ..Setup::new(character) });
    editor.open(A, TEXT);
    editor
}

#[track_caller]
fn applied(editor: &mut Editor, params: Value) -> String {
    let id = editor.agent_edit(params);
    let answer = editor.answer(id);
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    answer["result"]["batchId"].as_str().expect("an id").to_owned()
}

/// The titles of what can be taken back at the first `mark`.
fn offered(editor: &mut Editor, mark: &str) -> Vec<String> {
    let at = editor.text(A).find(mark).expect("the mark is there");
    let actions = editor.code_actions(A, at..at);
    let titles = actions.iter().map(|it| it["title"].as_str().expect("a title").to_owned());
    titles.filter(|it| it.starts_with("Revert")).collect()
}

/// What the command says of each document.
#[track_caller]
fn revert(editor: &mut Editor, batch: &str) -> Vec<Value> {
    let id = editor.execute("agentEdit.revert", json!([{"batchId": batch}]));
    let answer = editor.answer(id);
    answer["result"]["documents"].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

#[test]
fn it_is_offered_where_it_changed_the_text_and_takes_it_back() {
    for character in [Character::AnswersFirst, Character::ChangesFirst, Character::InPieces] {
        let mut editor = opened(character);
        let mut params = batch(A, &[("two", "2"), ("four", "4")]);
        params["label"] = "numbers".into();
        applied(&mut editor, params);
        let titles = offered(&mut editor, "4");
        assert_eq!(titles, ["Revert agent edits of “numbers” (batch b1 of agent)"]);
        assert_eq!(offered(&mut editor, "five"), Vec::<String>::new());
        editor.type_before(A, "one", "zero\n");
        let at = editor.text(A).find('4').unwrap();
        let answer = editor.run_action(A, at..at, &titles[0]);
        assert_eq!(answer["result"]["documents"], json!([{"uri": A, "reverted": true}]), "{answer}");
        assert_eq!(editor.text(A), format!("zero\n{TEXT}"));
        assert_eq!(offered(&mut editor, "four"), Vec::<String>::new());
        editor.assert_in_sync(A);
        editor.finish();
    }
}

#[test]
fn what_the_person_has_changed_since_stays_and_the_reason_is_told() {
    let mut editor = opened(Character::AnswersFirst);
    editor.open(B, TEXT);
    let mut params = batch(A, &[("two", "2"), ("four", "4")]);
    params["documents"].as_array_mut().unwrap().push(document(B, &[("two", "2")]));
    let batch = applied(&mut editor, params);
    editor.type_before(A, "2", "1.");
    let typed = editor.text(A).to_owned();
    assert_eq!(offered(&mut editor, "4"), Vec::<String>::new());
    let documents = revert(&mut editor, &batch);
    assert_eq!(documents[0]["reverted"], false, "{documents:?}");
    assert!(documents[0]["reason"].as_str().unwrap().contains("line 2"), "{documents:?}");
    assert_eq!(documents[1], json!({"uri": B, "reverted": true}));
    assert_eq!((editor.text(A), editor.text(B)), (typed.as_str(), TEXT));
    // Once it is as it was, it can be.
    let at = typed.find("1.").unwrap();
    editor.type_over(A, at..at + 2, "");
    assert_eq!(revert(&mut editor, &batch), [json!({"uri": A, "reverted": true})]);
    assert_eq!(editor.text(A), TEXT);
    editor.finish();
}

#[test]
fn a_batch_on_top_of_another_goes_first() {
    let mut editor = opened(Character::AnswersFirst);
    let first = applied(&mut editor, batch(A, &[("two", "2")]));
    let second = applied(&mut editor, batch(A, &[("2", "II")]));
    assert_eq!(revert(&mut editor, &first)[0]["reverted"], false);
    assert_eq!(revert(&mut editor, &second)[0]["reverted"], true);
    assert_eq!(revert(&mut editor, &first)[0]["reverted"], true);
    assert_eq!(editor.text(A), TEXT);
    editor.finish();
}

#[test]
fn what_was_applied_by_a_quick_fix_is_taken_back_with_it() {
    let mut editor = opened(Character::AnswersFirst);
    let id = editor.agent_edit(batch(A, &[("one", "1"), ("three\nfuor", "3\nfuor")]));
    let refused = editor.answer(id);
    let batch = refused["error"]["data"]["batchId"].as_str().expect("an id").to_owned();
    editor.run_action(A, 8..8, "Apply edit 2 here");
    editor.wait_until(|it| it.diagnostics(A).is_empty());
    assert_eq!(editor.text(A), "one\ntwo\n3\nfour\nfive\n");
    assert_eq!(revert(&mut editor, &batch)[0]["reverted"], true);
    assert_eq!(editor.text(A), TEXT);
    editor.finish();
}

#[test]
fn what_was_applied_in_steps_is_taken_back_whole_or_not_at_all() {
    let mut editor = opened(Character::AnswersFirst);
    let id = editor.agent_edit(batch(A, &[("one", "1"), ("three\nfuor", "3\nfuor")]));
    let refused = editor.answer(id);
    let batch = refused["error"]["data"]["batchId"].as_str().expect("an id").to_owned();
    editor.run_action(A, 8..8, "Apply the 1 edit that matches");
    editor.run_action(A, 8..8, "Apply edit 2 here");
    editor.wait_until(|it| it.diagnostics(A).is_empty());
    let made = "1\ntwo\n3\nfour\nfive\n";
    assert_eq!(editor.text(A), made);
    editor.type_before(A, "1", "0.");
    let documents = revert(&mut editor, &batch);
    assert_eq!(documents[0]["reverted"], false, "{documents:?}");
    assert_eq!(editor.text(A), format!("0.{made}"));
    editor.type_over(A, 0..2, "");
    assert_eq!(revert(&mut editor, &batch), [json!({"uri": A, "reverted": true})]);
    assert_eq!(editor.text(A), TEXT);
    editor.finish();
}

#[test]
fn one_of_two_that_are_alike_is_not_guessed() {
    let mut editor = Editor::start(SERVER, Character::AnswersFirst);
    editor.open(A, "w0\nb\nw\n");
    let batch = applied(&mut editor, batch(A, &[("w0", "w")]));
    // Has the first gone behind, or the middle to the front?
    editor.type_over(A, 0..4, "b\nw\n");
    let moved = editor.text(A).to_owned();
    assert_eq!(moved, "b\nw\nw\n");
    let documents = revert(&mut editor, &batch);
    assert_eq!(documents[0]["reverted"], false, "{documents:?}");
    assert_eq!(editor.text(A), moved);
    editor.finish();
}

#[test]
fn it_survives_that_the_document_is_closed_and_opened_again() {
    let mut editor = opened(Character::AnswersFirst);
    let batch = applied(&mut editor, batch(A, &[("two", "2")]));
    let text = editor.text(A).to_owned();
    editor.close(A);
    editor.open(A, &text);
    assert_eq!(revert(&mut editor, &batch)[0]["reverted"], true);
    assert_eq!(editor.text(A), TEXT);
    editor.finish();
}

#[test]
fn what_is_not_known_is_refused() {
    let mut editor = opened(Character::AnswersFirst);
    let batch = applied(&mut editor, batch(A, &[("two", "2")]));
    revert(&mut editor, &batch);
    for argument in [json!({"batchId": batch}), json!({"batchId": "b99"}), json!({"batchId": batch, "uri": B})] {
        let id = editor.execute("agentEdit.revert", json!([argument]));
        let answer = editor.answer(id);
        assert_eq!(answer["error"]["data"]["code"], "NOT_APPLIED", "{answer}");
    }
    let id = editor.execute("agentEdit.revert", json!([{"batchId": 7}]));
    assert_eq!(editor.answer(id)["error"]["code"], -32602);
    editor.finish();
}
