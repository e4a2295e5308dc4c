//! What comes after what: batches on one document and on several, cancelling, settling, losing and healing.

use fake_editor::{Character, Editor, Reaction, Setup, batch, document, sha256};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");
const A: &str = "file:///a.txt";
const B: &str = "file:///b.txt";

/// An editor of `character` with two documents.
fn editor(character: Character) -> Editor {
    with_options(character, Value::Null)
}

fn with_options(character: Character, options: Value) -> Editor {
    let mut editor = Editor::start_with(SERVER, Setup { options, ..Setup::new(character) });
    editor.open(A, "one\ntwo\nthree\n");
    editor.open(B, "red\ngreen\n");
    // The stock Neovim does not check the version of a document nobody has typed in.
    editor.type_over(A, 0..0, "zero\n");
    editor.type_over(B, 0..0, "black\n");
    editor
}

#[track_caller]
fn assert_applied(answer: &Value) {
    assert_eq!(answer["result"]["applied"], true, "{answer}");
}

/// `answer` is this error, with this `data.code`.
#[track_caller]
fn assert_refused(answer: &Value, code: i64, name: impl Into<Value>) {
    let error = &answer["error"];
    assert_eq!((&error["code"], &error["data"]["code"]), (&json!(code), &name.into()), "{answer}");
}

#[test]
fn batches_on_one_document_run_in_order_and_each_sees_the_one_before() {
    for character in Character::ALL {
        let mut editor = editor(character);
        let first = editor.agent_edit(batch(A, &[("two", "2")]));
        let second = editor.agent_edit(batch(A, &[("2\nthree", "2\n3")]));
        editor.hold_until(|it| it.applications().len() == 1);
        // The second does not even ask before the first has settled.
        let typed = editor.request("textDocument/codeAction", json!({
            "textDocument": {"uri": A}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
            "context": {"diagnostics": []},
        }));
        editor.hold_until(|it| it.unanswered() == 2);
        assert_eq!(editor.applications().len(), 1);
        let _ = editor.answer(typed);
        assert_applied(&editor.answer(first));
        assert_applied(&editor.answer(second));
        assert_eq!(editor.text(A), "zero\none\n2\n3\n");
        editor.finish();
    }
}

#[test]
fn batches_on_two_documents_run_side_by_side() {
    for character in Character::ALL {
        let mut editor = editor(character);
        let first = editor.agent_edit(batch(A, &[("two", "2")]));
        let second = editor.agent_edit(batch(B, &[("red", "blue")]));
        editor.hold_until(|it| it.applications().len() == 2);
        while editor.applications().len() == 2 {
            editor.advance_nth(1);
        }
        editor.hold_until(|it| it.unanswered() == 1);
        assert_applied(&editor.answer(second));
        assert_applied(&editor.answer(first));
        editor.finish();
    }
}

#[test]
fn a_batch_on_two_documents_waits_for_both() {
    let mut editor = editor(Character::AnswersFirst);
    let first = editor.agent_edit(batch(B, &[("green", "lime")]));
    let both =
        editor.agent_edit(json!({"documents": [document(A, &[("two", "2")]), document(B, &[("lime", "leaf")])]}));
    let last = editor.agent_edit(batch(A, &[("2", "II")]));
    for id in [first, both, last] {
        assert_applied(&editor.answer(id));
    }
    assert_eq!((editor.text(A), editor.text(B)), ("zero\none\nII\nthree\n", "black\nred\nleaf\n"));
    editor.finish();
}

#[test]
fn a_refused_edit_of_two_documents_changes_neither() {
    for character in Character::ALL {
        for reaction in [Reaction::Refuse(Some("it is read-only")), Reaction::Refuse(None), Reaction::Fail] {
            let mut editor = with_options(character, json!({"timeouts": {"settle": 200}}));
            editor.react(reaction);
            let id = editor
                .agent_edit(json!({"documents": [document(A, &[("two", "2")]), document(B, &[("red", "blue")])]}));
            let answer = editor.answer(id);
            assert_refused(&answer, -32803, "NOT_APPLIED");
            if reaction == Reaction::Refuse(Some("it is read-only")) {
                assert!(answer["error"]["data"]["reason"].as_str().unwrap().contains("it is read-only"), "{answer}");
            }
            assert_eq!((editor.text(A), editor.text(B)), ("zero\none\ntwo\nthree\n", "black\nred\ngreen\n"));
            // Nothing stays behind.
            let id = editor.agent_edit(batch(A, &[("two", "2")]));
            assert_applied(&editor.answer(id));
            editor.finish();
        }
    }
}

#[test]
fn a_conflict_in_one_document_keeps_the_other_unchanged() {
    let mut editor = editor(Character::ChangesFirst);
    let id = editor.agent_edit(json!({"documents": [
        document(A, &[("two", "2")]),
        document(B, &[("red", "blue"), ("violet", "x"), ("re", "")]),
    ]}));
    let answer = editor.answer(id);
    assert_refused(&answer, -32803, "EDIT_CONFLICT");
    let data = &answer["error"]["data"];
    assert_eq!(data["editCount"], 4, "{answer}");
    let failures: Vec<_> =
        data["failures"].as_array().unwrap().iter().map(|it| (&it["document"], &it["edit"], &it["uri"])).collect();
    assert_eq!(failures[0], (&json!(1), &json!(1), &json!(B)), "{answer}");
    assert_eq!(editor.text(A), "zero\none\ntwo\nthree\n");
    editor.finish();
}

#[test]
fn typing_before_the_edit_arrives_is_never_lost() {
    for character in Character::ALL {
        let options = json!({"timeouts": {"settle": 200}});
        let mut editor = with_options(character, options);
        let id = editor.agent_edit(batch(A, &[("two", "2")]));
        editor.hold_until(|it| it.applications().len() == 1);
        editor.type_over(A, 0..0, "typed ");
        let answer = editor.answer(id);
        assert_refused(&answer, -32801, "CONTENT_MODIFIED");
        assert_eq!(editor.text(A), "typed zero\none\ntwo\nthree\n");
        let id = editor.agent_edit(batch(A, &[("two", "2")]));
        assert_applied(&editor.answer(id));
        assert_eq!(editor.text(A), "typed zero\none\n2\nthree\n");
        editor.finish();
    }
}

#[test]
fn typing_after_the_edit_was_made_and_before_it_is_told_does_not_hide_it() {
    for character in Character::ALL {
        // What comes first of the answer and the change is the character's; typing comes between any two of its steps.
        for steps in 1..3 {
            let mut editor = editor(character);
            let id = editor.agent_edit(batch(A, &[("zero", "0"), ("two", "2"), ("three", "3")]));
            editor.hold_until(|it| it.applications().len() == 1);
            for _ in 0..steps {
                editor.advance();
            }
            editor.type_before(A, "one", "typed ");
            assert_applied(&editor.answer(id));
            while editor.advance() {}
            assert_eq!(editor.text(A), "0\ntyped one\n2\n3\n");
            editor.finish();
        }
    }
}

#[test]
fn a_batch_that_waits_can_be_cancelled() {
    let mut editor = editor(Character::AnswersFirst);
    let first = editor.agent_edit(batch(A, &[("two", "2")]));
    let second = editor.agent_edit(batch(A, &[("three", "3")]));
    let third = editor.agent_edit(batch(A, &[("one", "1")]));
    editor.hold_until(|it| it.applications().len() == 1);
    editor.cancel(second);
    editor.hold_until(|it| it.unanswered() == 2);
    assert_refused(&editor.answer(second), -32800, Value::Null);
    assert_applied(&editor.answer(first));
    assert_applied(&editor.answer(third));
    assert_eq!(editor.text(A), "zero\n1\n2\nthree\n");
    editor.finish();
}

#[test]
fn a_batch_that_is_under_way_is_not_cancelled_and_tells_the_truth() {
    for character in Character::ALL {
        for steps in 0..3 {
            let mut editor = editor(character);
            let id = editor.agent_edit(batch(A, &[("zero", "0"), ("two", "2")]));
            editor.hold_until(|it| it.applications().len() == 1);
            for _ in 0..steps {
                editor.advance();
            }
            editor.cancel(id);
            assert_applied(&editor.answer(id));
            while editor.advance() {}
            assert_eq!(editor.text(A), "0\none\n2\nthree\n");
            editor.finish();
        }
    }
}

#[test]
fn an_answer_that_is_not_true_is_not_believed() {
    for (reaction, code) in
        [(Reaction::Lie, "NOT_APPLIED"), (Reaction::Silence, "NOT_APPLIED"), (Reaction::Half, "CONTENT_MODIFIED")]
    {
        let mut editor = with_options(Character::AnswersFirst, json!({"timeouts": {"answer": 200, "settle": 200}}));
        editor.react(reaction);
        let id = editor.agent_edit(batch(A, &[("zero", "0"), ("two", "2")]));
        let answer = editor.answer(id);
        let number = if code == "NOT_APPLIED" { -32803 } else { -32801 };
        assert_refused(&answer, number, code);
        assert_eq!(answer["error"]["data"]["diverged"].is_null(), code == "NOT_APPLIED", "{answer}");
        editor.type_over(A, 0..0, "-");
        editor.finish();
    }
}

#[test]
fn a_document_that_has_not_settled_refuses_batches_until_it_changes() {
    let mut editor = with_options(Character::AnswersFirst, json!({"timeouts": {"settle": 200}}));
    editor.react(Reaction::Mute);
    let id = editor.agent_edit(batch(A, &[("two", "2")]));
    assert_refused(&editor.answer(id), -32803, "NOT_APPLIED");
    let id = editor.agent_edit(batch(A, &[("three", "3")]));
    assert!(editor.answer(id)["error"]["data"]["code"].is_string());
    // Another document is served.
    let id = editor.agent_edit(batch(B, &[("red", "blue")]));
    assert_applied(&editor.answer(id));
    editor.tell(A);
    let id = editor.agent_edit(batch(A, &[("2\nthree", "2\n3")]));
    assert_applied(&editor.answer(id));
    assert_eq!(editor.text(A), "zero\none\n2\n3\n");
    editor.finish();
}

#[test]
fn a_change_that_does_not_fit_loses_the_document_until_it_is_sent_whole() {
    let range = |line: u32| json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": 1}});
    let outside =
        json!({"textDocument": {"uri": A, "version": 9}, "contentChanges": [{"range": range(99), "text": "x"}]});
    let unreadable = json!({"textDocument": {"uri": A}, "contentChanges": [{"range": range(0), "text": "x"}]});
    for change in [outside, unreadable] {
        let mut editor = editor(Character::AnswersFirst);
        editor.notify("textDocument/didChange", change.clone());
        let id = editor.agent_edit(batch(A, &[("two", "2")]));
        assert!(editor.answer(id)["error"]["data"]["code"].is_string());
        // It is said once, not with every batch, and not with every change that follows.
        editor.notify("textDocument/didChange", change);
        let id = editor.agent_edit(batch(A, &[("two", "2")]));
        assert!(editor.answer(id)["error"]["data"]["code"].is_string());
        let shown = editor.wait_for_messages();
        assert_eq!(shown.len(), 1, "{shown:?}");
        let id = editor.agent_edit(batch(B, &[("red", "blue")]));
        assert_applied(&editor.answer(id));
        editor.type_whole(A, 0..0, "whole\n");
        let id = editor.agent_edit(batch(A, &[("two", "2")]));
        assert_applied(&editor.answer(id));
        assert_eq!(editor.text(A), "whole\nzero\none\n2\nthree\n");
        editor.finish();
    }
}

#[test]
fn a_lost_document_is_found_again_when_it_is_reopened() {
    let mut editor = editor(Character::ChangesFirst);
    editor.notify("textDocument/didChange", json!({"textDocument": {"uri": A}}));
    let id = editor.agent_edit(batch(A, &[("two", "2")]));
    assert!(editor.answer(id)["error"]["data"]["code"].is_string());
    let _ = editor.wait_for_messages();
    editor.close(A);
    editor.open(A, "two\n");
    let id = editor.agent_edit(batch(A, &[("two", "2")]));
    assert_applied(&editor.answer(id));
    editor.finish();
}

#[test]
fn a_stale_base_is_told_with_both_sides() {
    let mut editor = editor(Character::AnswersFirst);
    let old = sha256("one\ntwo\nthree\n");
    let id = editor.agent_edit(json!({"documents": [
        {"textDocument": {"uri": A, "version": 1}, "expectedBaseSha256": old, "edits": [{"oldText": "two", "newText": "2"}]},
        {"textDocument": {"uri": B, "version": editor.version(B)}, "edits": [{"oldText": "red", "newText": "blue"}]},
    ]}));
    let answer = editor.answer(id);
    assert_refused(&answer, -32801, "STALE_BASE");
    let told = answer["error"]["data"]["documents"].to_string();
    for side in [&old, &sha256(editor.text(A)), A, "1", &editor.version(A).to_string()] {
        assert!(told.contains(side), "{side} is not in {told}");
    }
    assert!(!told.contains(B), "{told}");
    editor.finish();
}

#[test]
fn a_document_closed_while_it_is_edited_is_answered() {
    for character in Character::ALL {
        let mut editor = with_options(character, json!({"timeouts": {"settle": 200}}));
        let id = editor.agent_edit(batch(A, &[("two", "2")]));
        editor.hold_until(|it| it.applications().len() == 1);
        editor.close(A);
        let answer = editor.answer(id);
        assert!(answer["error"]["data"]["code"].is_string(), "{answer}");
        editor.finish();
    }
}

#[test]
fn a_preview_changes_nothing_and_says_what_applying_does() {
    for character in Character::ALL {
        let mut editor = editor(character);
        let edits = [("zero", "🚀"), ("three\n", "three\r\nfour\n")];
        let mut params = batch(A, &edits);
        params["mode"] = json!("preview");
        let id = editor.agent_edit(params);
        let preview = editor.answer(id)["result"].clone();
        assert_eq!(preview["applied"], false, "{preview}");
        assert!(preview["documents"][0]["diff"].as_str().unwrap().contains("+🚀"), "{preview}");
        assert_eq!(editor.text(A), "zero\none\ntwo\nthree\n");
        let id = editor.agent_edit(batch(A, &edits));
        let answer = editor.answer(id);
        assert_applied(&answer);
        while editor.advance() {}
        let applied = &answer["result"]["documents"][0];
        assert_eq!(applied["sha256"], preview["documents"][0]["sha256"]);
        assert_eq!(applied["sha256"], sha256(editor.text(A)));
        assert_eq!(applied["appliedEdits"], preview["documents"][0]["appliedEdits"]);
        assert_eq!(editor.text(A), "🚀\none\ntwo\nthree\nfour\n");
        editor.finish();
    }
}
