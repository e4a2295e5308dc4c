//! A batch that takes long is shown as work, where it can be cancelled; a quick one is not.

use fake_editor::{Character, Creating, Editor, Server, Setup, batch, document, notification, request, response};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");
const A: &str = "file:///a.txt";
const TEXT: &str = "zero\none\ntwo\n";

/// An editor for which a batch takes long after so many milliseconds.
fn editor(character: Character, progress: u64) -> Editor {
    with(Setup::new(character), progress)
}

fn with(setup: Setup, progress: u64) -> Editor {
    let options = json!({"timeouts": {"progress": progress, "settle": 500}});
    let mut editor = Editor::start_with(SERVER, Setup { options, ..setup });
    editor.open(A, &TEXT["zero\n".len()..]);
    // The stock Neovim does not check the version of a document nobody has typed in.
    editor.type_over(A, 0..0, "zero\n");
    editor
}

/// Longer than any test takes.
const NEVER: u64 = 600_000;

fn one(mode: &str, token: Option<&Value>) -> Value {
    let mut params = batch(A, &[("one", "1")]);
    params["mode"] = json!(mode);
    params["label"] = json!("Numerals");
    if let Some(token) = token {
        params["workDoneToken"] = token.clone();
    }
    params
}

/// The kinds of what was told.
fn kinds(told: &[Value]) -> Vec<&str> {
    told.iter().filter_map(|it| it["kind"].as_str()).collect()
}

/// Waits until `count` progresses have begun, with what the server wants left undone.
#[track_caller]
fn wait_for_progress(editor: &mut Editor, count: usize) {
    editor.hold_until(|it| it.progress(None).len() == count);
}

#[test]
fn what_takes_long_is_shown_on_the_token_of_the_request() {
    for character in Character::ALL {
        for token in [json!("mine"), json!(7)] {
            let mut editor = editor(character, 0);
            let id = editor.agent_edit(one("apply", Some(&token)));
            editor.hold_until(|it| it.applications().len() == 1 && !it.progress(Some(&token)).is_empty());
            let answer = editor.answer(id);
            assert_eq!(answer["result"]["applied"], true, "{answer}");
            // With the answer the token is no longer good.
            let progress = editor.progress(None);
            assert_eq!(progress.len(), 1, "{progress:?}");
            assert!(progress[0].is_ended() && !progress[0].is_created, "{progress:?}");
            assert_eq!(progress[0].told[0]["title"], "Numerals");
            while editor.advance() {}
            editor.finish();
        }
    }
}

#[test]
fn what_takes_long_is_shown_unasked_where_the_editor_shows_such() {
    for character in Character::ALL {
        let mut editor = editor(character, 0);
        let id = editor.agent_edit(one("apply", None));
        wait_for_progress(&mut editor, 1);
        let answer = editor.answer(id);
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        let progress = editor.progress(None);
        assert!(progress.len() == 1 && progress[0].is_ended() && progress[0].is_created, "{progress:?}");
        while editor.advance() {}
        editor.finish();
    }
}

#[test]
fn a_quick_batch_is_not_shown() {
    for token in [None, Some(json!("mine"))] {
        for mode in ["apply", "preview"] {
            let mut editor = editor(Character::AnswersFirst, NEVER);
            let id = editor.agent_edit(one(mode, token.as_ref()));
            assert!(editor.answer(id)["result"].is_object());
            assert!(editor.progress(None).is_empty());
            editor.finish();
        }
    }
}

#[test]
fn a_client_that_cannot_show_it_has_its_batch_all_the_same() {
    for creating in [Creating::Fail, Creating::Silence] {
        let mut editor = with(Setup { creating, ..Setup::new(Character::ChangesFirst) }, 0);
        let id = editor.agent_edit(one("apply", None));
        if creating == Creating::Silence {
            editor.hold_until(|it| it.unanswered_creations() == 1);
        }
        let answer = editor.answer(id);
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        assert!(editor.progress(None).is_empty());
        editor.finish();
    }
}

#[test]
fn who_does_not_announce_to_show_work_is_not_asked_to() {
    let mut server = Server::start(SERVER);
    let capabilities = json!({"workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true}}});
    let options = json!({"timeouts": {"progress": 0, "settle": 20}});
    server.send(&request(0, "initialize", json!({"capabilities": capabilities, "initializationOptions": options})));
    server.answer(0);
    server.send(&notification("initialized", json!({})));
    let item = json!({"uri": A, "languageId": "text", "version": 4, "text": TEXT});
    server.send(&notification("textDocument/didOpen", json!({"textDocument": item})));
    server.send(&request(1, "workspace/agentEdit", batch(A, &[("one", "1")])));
    let asked = server.wait_for_method("workspace/applyEdit");
    server.send(&response(&asked["id"], json!({"applied": false})));
    server.answer(1);
    assert_eq!(server.unread(), Vec::<Value>::new());
}

#[test]
fn a_batch_that_waits_can_be_cancelled_where_it_is_shown() {
    let mut editor = editor(Character::AnswersFirst, 0);
    let first = editor.agent_edit(one("apply", None));
    editor.hold_until(|it| it.applications().len() == 1);
    wait_for_progress(&mut editor, 1);
    let second = editor.agent_edit(json!({"documents": [document(A, &[("two", "2")])], "workDoneToken": "second"}));
    wait_for_progress(&mut editor, 2);
    assert_eq!(editor.progress(Some(&json!("second")))[0].told[0]["cancellable"], true);
    editor.notify("window/workDoneProgress/cancel", json!({"token": "second"}));
    editor.hold_until(|it| it.unanswered() == 1);
    assert_eq!(editor.answer(second)["error"]["code"], -32800);
    assert!(editor.progress(Some(&json!("second")))[0].is_ended());
    assert_eq!(editor.answer(first)["result"]["applied"], true);
    assert_eq!(editor.text(A), "zero\n1\ntwo\n");
    editor.finish();
}

#[test]
fn a_question_can_be_cancelled_where_it_is_shown() {
    for token in [None, Some(json!("mine"))] {
        let mut editor = editor(Character::InPieces, 0);
        let id = editor.agent_edit(one("review", token.as_ref()));
        editor.wait_for_question();
        wait_for_progress(&mut editor, 1);
        editor.cancel_progress();
        editor.hold_until(|it| it.unanswered() == 0);
        assert_eq!(editor.answer(id)["error"]["code"], -32800);
        assert!(editor.progress(None)[0].is_ended());
        editor.reply(None);
        assert_eq!(editor.text(A), TEXT);
        editor.finish();
    }
}

#[test]
fn what_the_editor_has_been_asked_for_is_watched_to_its_end() {
    for character in Character::ALL {
        let mut editor = editor(character, 0);
        let id = editor.agent_edit(one("apply", None));
        editor.hold_until(|it| it.applications().len() == 1 && !it.progress(None).is_empty());
        // Whenever it has begun, it is said that from here on there is nothing to cancel.
        editor.hold_until(|it| it.progress(None)[0].told.last().is_some_and(|it| it["cancellable"] == false));
        editor.cancel_progress();
        let answer = editor.answer(id);
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        while editor.advance() {}
        assert_eq!(editor.text(A), "zero\n1\ntwo\n");
        editor.finish();
    }
}

#[test]
fn what_the_person_has_confirmed_is_watched_to_its_end() {
    let mut editor = editor(Character::AnswersFirst, 0);
    let id = editor.agent_edit(one("review", None));
    editor.hold_until(|it| it.applications().len() == 1 && !it.progress(None).is_empty());
    let told = |it: &Editor| it.progress(None)[0].told.last().map(|it| it["cancellable"].clone());
    assert_eq!(told(&editor), Some(json!(true)));
    // It is confirmed and answered, and not yet told.
    editor.advance();
    editor.advance();
    editor.hold_until(|it| told(it) == Some(json!(false)));
    editor.cancel(id);
    assert_eq!(editor.answer(id)["result"]["applied"], true);
    editor.finish();
}

#[test]
fn what_is_shown_ends_however_the_batch_ends() {
    let mut editor = editor(Character::ChangesFirst, 0);
    let first = editor.agent_edit(one("review", None));
    editor.wait_for_question();
    wait_for_progress(&mut editor, 1);
    let conflict = json!({"documents": [document(A, &[("nowhere", "x")])], "workDoneToken": "second"});
    let second = editor.agent_edit(conflict);
    wait_for_progress(&mut editor, 2);
    editor.reply(None);
    assert_eq!(editor.answer(first)["error"]["data"]["code"], "NOT_APPLIED");
    assert_eq!(editor.answer(second)["error"]["data"]["code"], "EDIT_CONFLICT");
    let told = editor.progress(Some(&json!("second"))).remove(0).told;
    assert_eq!((kinds(&told).first(), kinds(&told).last()), (Some(&"begin"), Some(&"end")), "{told:?}");
    editor.finish();
}

#[test]
fn a_command_shows_its_batch_on_its_own_token() {
    let mut editor = editor(Character::AnswersFirst, 0);
    let arguments = json!([one("apply", None)]);
    let params = json!({"command": "agentEdit.apply", "arguments": arguments, "workDoneToken": "mine"});
    let id = editor.request("workspace/executeCommand", params);
    editor.hold_until(|it| it.applications().len() == 1 && !it.progress(Some(&json!("mine"))).is_empty());
    assert_eq!(editor.answer(id)["result"]["applied"], true);
    assert!(editor.progress(None).len() == 1 && editor.progress(None)[0].is_ended());
    editor.finish();
}

#[test]
fn a_token_that_is_none_is_named() {
    let mut editor = editor(Character::AnswersFirst, 0);
    for token in [json!({}), json!(true), json!(1.5), json!(1_u64 << 40)] {
        let mut params = batch(A, &[("one", "1")]);
        params["workDoneToken"] = token;
        let id = editor.agent_edit(params);
        let answer = editor.answer(id);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(
            answer["error"]["message"].as_str().unwrap().starts_with("workDoneToken: expected a string"),
            "{answer}"
        );
    }
    editor.notify("window/workDoneProgress/cancel", json!({"token": "never seen"}));
    editor.finish();
}
