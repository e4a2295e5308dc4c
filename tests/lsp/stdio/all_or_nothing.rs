//! A batch of several documents in editors that would leave half of it behind.

use fake_editor::{Character, Editor, Reaction, Setup, document};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");
const A: &str = "file:///a.txt";
const B: &str = "file:///b.txt";
const TEXT_A: &str = "zero\none 🚀 two\r\nthree\n";
const TEXT_B: &str = "black\nred\n";

fn editor(character: Character) -> Editor {
    let options = json!({"timeouts": {"settle": 500}});
    let mut editor = Editor::start_with(SERVER, Setup { options, ..Setup::new(character) });
    editor.open(A, &TEXT_A["zero\n".len()..]);
    editor.open(B, &TEXT_B["black\n".len()..]);
    // The stock Neovim does not check the version of a document nobody has typed in.
    editor.type_over(A, 0..0, "zero\n");
    editor.type_over(B, 0..0, "black\n");
    editor
}

fn send(editor: &mut Editor) -> i64 {
    let first = document(A, &[("zero", "0"), ("🚀 two", "2"), ("three\n", "")]);
    editor.agent_edit(json!({"documents": [first, document(B, &[("red", "blue")])]}))
}

/// Does what the server wants until the first document is changed and the second is not.
fn half_way(editor: &mut Editor) {
    editor.wait_until(|it| it.text(A) != TEXT_A);
    editor.wait_until(|it| it.applications().first().is_some_and(|it| it.is_fresh()));
    assert_eq!(editor.text(B), TEXT_B);
}

#[track_caller]
fn assert_refused(answer: &Value, name: &str, states: Value) {
    assert_eq!(answer["error"]["data"]["code"], name, "{answer}");
    let diverged = answer["error"]["data"]["diverged"].as_array();
    let found: Vec<_> = diverged.into_iter().flatten().map(|it| it["state"].clone()).collect();
    assert_eq!(json!(found), states, "{answer}");
}

#[test]
fn neovim_is_asked_for_one_document_after_the_other() {
    let mut editor = editor(Character::InPieces);
    let id = send(&mut editor);
    editor.hold_until(|it| !it.applications().is_empty());
    half_way(&mut editor);
    let answer = editor.answer(id);
    assert_eq!(answer["result"]["applied"], true, "{answer}");
    assert_eq!((editor.text(A), editor.text(B)), ("0\none 2\r\n", "black\nblue\n"));
    editor.finish();
}

#[test]
fn what_neovim_applied_is_taken_back_where_it_skips_the_next_document() {
    let mut editor = editor(Character::InPieces);
    let id = send(&mut editor);
    half_way(&mut editor);
    editor.type_over(B, 0..0, "typed ");
    let answer = editor.answer(id);
    while editor.advance() {}
    assert_refused(&answer, "CONTENT_MODIFIED", json!(["notApplied", "different"]));
    assert_eq!((editor.text(A), editor.text(B)), (TEXT_A, "typed black\nred\n"));
    let id = send(&mut editor);
    assert_eq!(editor.answer(id)["result"]["applied"], true, "nothing stays behind");
    editor.finish();
}

#[test]
fn what_was_applied_is_taken_back_where_the_editor_refuses_the_next_document() {
    let mut editor = editor(Character::InPieces);
    editor.react(Reaction::Apply);
    editor.react(Reaction::Refuse(Some("it is read-only")));
    let id = send(&mut editor);
    let answer = editor.answer(id);
    assert_refused(&answer, "NOT_APPLIED", json!([]));
    let reason = answer["error"]["data"]["reason"].as_str().unwrap();
    assert!(reason.contains("it is read-only") && reason.contains("taken back"), "{answer}");
    while editor.advance() {}
    assert_eq!((editor.text(A), editor.text(B)), (TEXT_A, TEXT_B));
    editor.finish();
}

#[test]
fn what_helix_applied_before_a_stale_document_is_taken_back() {
    let mut editor = editor(Character::ChangesFirst);
    let id = send(&mut editor);
    editor.hold_until(|it| it.applications().len() == 1);
    editor.type_over(B, 0..0, "typed ");
    let answer = editor.answer(id);
    assert_refused(&answer, "CONTENT_MODIFIED", json!([]));
    assert_eq!((editor.text(A), editor.text(B)), (TEXT_A, "typed black\nred\n"));
    editor.finish();
}

#[test]
fn what_cannot_be_taken_back_is_told() {
    let mut editor = editor(Character::InPieces);
    for reaction in [Reaction::Apply, Reaction::Refuse(None), Reaction::Refuse(None)] {
        editor.react(reaction);
    }
    let id = send(&mut editor);
    assert_refused(&editor.answer(id), "CONTENT_MODIFIED", json!(["applied", "notApplied"]));
    assert_eq!((editor.text(A), editor.text(B)), ("0\none 2\r\n", TEXT_B));
    editor.finish();
}

#[test]
fn what_a_person_has_typed_into_is_not_taken_back() {
    let mut editor = editor(Character::InPieces);
    editor.react(Reaction::Apply);
    editor.react(Reaction::Refuse(None));
    let id = send(&mut editor);
    half_way(&mut editor);
    editor.type_over(A, 0..0, "typed ");
    assert_refused(&editor.answer(id), "CONTENT_MODIFIED", json!(["applied", "notApplied"]));
    assert_eq!((editor.text(A), editor.text(B)), ("typed 0\none 2\r\n", TEXT_B));
    editor.finish();
}

#[test]
fn a_batch_for_a_document_that_changes_before_its_turn_is_taken_back() {
    let mut editor = editor(Character::InPieces);
    let id = send(&mut editor);
    editor.hold_until(|it| !it.applications().is_empty());
    // Told before the first document is settled, so that the second is not even asked for.
    editor.type_over(B, 0..0, "typed ");
    let answer = editor.answer(id);
    assert_refused(&answer, "CONTENT_MODIFIED", json!([]));
    while editor.advance() {}
    assert_eq!((editor.text(A), editor.text(B)), (TEXT_A, "typed black\nred\n"));
    editor.finish();
}
