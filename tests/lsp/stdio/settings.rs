//! What a person sets: asked for, pushed or said at the start; wrong or late; and what it changes.

use fake_editor::{Character, Editor, Server, Setup, batch, document, notification, request, response};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");
const A: &str = "file:///a.txt";
const TEXT: &str = "    one\ntwo\ntwo\n";

fn editor(character: Character, settings: Value) -> Editor {
    let mut editor = Editor::start_with(SERVER, Setup { settings, ..Setup::new(character) });
    editor.open(A, TEXT);
    editor
}

/// Sends a batch that is refused as ambiguous, and waits until its conflicts have this severity.
#[track_caller]
fn refuse(editor: &mut Editor, severity: u64) {
    let id = editor.agent_edit(batch(A, &[("two", "2")]));
    assert_eq!(editor.answer(id)["error"]["data"]["code"], "EDIT_CONFLICT");
    wait_for_severity(editor, severity);
}

#[track_caller]
fn wait_for_severity(editor: &mut Editor, severity: u64) {
    editor.wait_until(|it| {
        let all = it.diagnostics(A);
        all.len() == 2 && all.iter().all(|it| it["severity"] == severity)
    });
}

#[test]
fn what_the_person_has_set_is_asked_for_in_every_editor() {
    for character in Character::ALL {
        let limits = json!({"edits": 2, "documents": 1});
        let settings = json!({"agentEdit": {"severity": "hint", "matching": "tolerant", "limits": limits}});
        let mut editor = editor(character, settings);
        refuse(&mut editor, 4);
        // With white space at the line's end that is not there.
        let id = editor.agent_edit(batch(A, &[("    one  \ntwo\ntwo", "    1\ntwo\ntwo")]));
        let answer = editor.answer(id);
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        let id = editor.agent_edit(batch(A, &[("1", "2"), ("1", "2"), ("1", "2")]));
        let answer = editor.answer(id);
        assert_eq!(answer["error"]["data"]["code"], "LIMIT_EXCEEDED", "{answer}");
        assert_eq!(answer["error"]["data"]["limit"], "edits", "{answer}");
        assert_eq!(answer["error"]["data"]["value"], 2, "{answer}");
        let id =
            editor.agent_edit(json!({"documents": [document(A, &[("1", "2")]), document("file:///b", &[("1", "2")])]}));
        assert_eq!(editor.answer(id)["error"]["data"]["limit"], "documents");
        editor.finish();
    }
}

#[test]
fn what_an_agent_says_goes_before_what_is_set() {
    let mut editor =
        editor(Character::ChangesFirst, json!({"agentEdit": {"matching": "tolerant", "severity": "hint"}}));
    // Now they are known.
    refuse(&mut editor, 4);
    let mut exact = batch(A, &[("    one  \ntwo\ntwo", "")]);
    exact["matching"] = json!("exact");
    let id = editor.agent_edit(exact);
    assert_eq!(editor.answer(id)["error"]["data"]["failures"][0]["kind"], "not-found");
    editor.finish();
}

#[test]
fn a_changed_severity_is_shown_at_once() {
    for character in Character::ALL {
        let mut editor = editor(character, Value::Null);
        refuse(&mut editor, 2);
        editor.configure(json!({"agentEdit": {"severity": "error"}}));
        wait_for_severity(&mut editor, 1);
        editor.configure(Value::Null);
        wait_for_severity(&mut editor, 2);
        editor.finish();
    }
}

#[test]
fn a_lower_limit_of_kept_batches_drops_the_oldest_at_once() {
    let mut editor = editor(Character::AnswersFirst, Value::Null);
    for agent in ["one", "two"] {
        let mut params = batch(A, &[("two", "2")]);
        params["agent"] = json!(agent);
        let id = editor.agent_edit(params);
        assert_eq!(editor.answer(id)["error"]["data"]["code"], "EDIT_CONFLICT");
    }
    editor.wait_until(|it| it.diagnostics(A).len() == 4);
    editor.configure(json!({"agentEdit": {"limits": {"pendingBatches": 1}}}));
    wait_for_severity(&mut editor, 2);
    assert!(editor.diagnostics(A).iter().all(|it| it["data"]["batchId"] == "b2"), "{:?}", editor.diagnostics(A));
    editor.finish();
}

#[test]
fn documents_and_results_beyond_a_limit_are_refused() {
    let limits = json!({"documentBytes": 15, "resultBytes": 40, "editBytes": 50});
    let mut editor = Editor::start_with(
        SERVER,
        Setup { options: json!({"settings": {"limits": limits}}), ..Setup::new(Character::ChangesFirst) },
    );
    let said = &editor.capabilities["experimental"]["agentEdit"]["limits"];
    assert_eq!((&said["documentBytes"], &said["edits"]), (&json!(15), &json!(1_000)));
    editor.open(A, "fifteen bytes.\n");
    let check = |editor: &mut Editor, edits: &[(&str, &str)], limit: &str| {
        let id = editor.agent_edit(batch(A, edits));
        let answer = editor.answer(id);
        let data = &answer["error"]["data"];
        assert!(data["limit"] == limit || data["failures"][0]["kind"] == limit, "{answer}");
    };
    check(&mut editor, &[("fifteen", &"x".repeat(33))], "output-limit");
    check(&mut editor, &[("fifteen", &"x".repeat(44))], "editBytes");
    let end = editor.text(A).len();
    editor.type_over(A, end..end, "!");
    check(&mut editor, &[("fifteen", "15")], "documentBytes");
    // The check that both sides hold the same text is a batch, too.
    editor.type_over(A, end..end + 1, "");
    editor.finish();
}

#[test]
fn what_is_wrong_is_told_once_and_the_rest_is_taken() {
    let wrong = json!({"severity": "error", "matching": "fuzzy", "limits": {"edits": 0}});
    let mut editor = editor(Character::AnswersFirst, json!({"agentEdit": wrong}));
    let told = editor.wait_for_messages();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["method"], "window/showMessage");
    let text = told[0]["params"]["message"].as_str().unwrap();
    for part in [
        "agentEdit.matching is \"fuzzy\", expected one of exact, tolerant, lenient",
        "agentEdit.limits.edits is 0, expected a whole number from 1",
        "default",
    ] {
        assert!(text.contains(part), "{text}");
    }
    refuse(&mut editor, 1);
    let mut also_wrong = wrong;
    also_wrong["severity"] = json!("hint");
    editor.configure(json!({"agentEdit": also_wrong}));
    wait_for_severity(&mut editor, 4);
    editor.finish();
}

/// A client of these capabilities that has opened a document, with its server.
fn client(capabilities: Value, options: Value) -> Server {
    let mut server = Server::start(SERVER);
    let params = json!({"capabilities": capabilities, "initializationOptions": options});
    server.send(&request(0, "initialize", params));
    server.answer(0);
    server.send(&notification("initialized", json!({})));
    let document = json!({"uri": A, "languageId": "text", "version": 1, "text": TEXT});
    server.send(&notification("textDocument/didOpen", json!({"textDocument": document})));
    server
}

/// Sends a batch that is refused, and gives the severity of its conflicts.
#[track_caller]
fn severity(server: &mut Server, id: i64) -> Value {
    server.send(&request(id, "workspace/agentEdit", batch(A, &[("two", "2")])));
    assert_eq!(server.answer(id)["error"]["data"]["code"], "EDIT_CONFLICT");
    published_severity(server)
}

#[track_caller]
fn published_severity(server: &mut Server) -> Value {
    server.wait_for_method("textDocument/publishDiagnostics")["params"]["diagnostics"][0]["severity"].clone()
}

#[test]
fn settings_that_come_late_hold_nothing_up() {
    let mut server = client(json!({"workspace": {"configuration": true}}), Value::Null);
    let asked = server.wait_for_method("workspace/configuration");
    assert_eq!(asked["params"]["items"], json!([{"section": "agentEdit"}]));
    assert_eq!(severity(&mut server, 1), 2);
    server.send(&response(&asked["id"], json!([{"severity": "hint"}])));
    assert_eq!(published_severity(&mut server), 4);
}

#[test]
fn of_two_answers_the_one_to_the_later_question_holds() {
    let mut server = client(json!({"workspace": {"configuration": true}}), Value::Null);
    let first = server.wait_for_method("workspace/configuration");
    assert_eq!(severity(&mut server, 1), 2);
    server.send(&notification("workspace/didChangeConfiguration", json!({"settings": {"agentEdit": {"severity": 7}}})));
    let second = server.wait_for_method("workspace/configuration");
    server.send(&response(&second["id"], json!([{"severity": "hint"}])));
    assert_eq!(published_severity(&mut server), 4);
    server.send(&response(&first["id"], json!([{"severity": "error"}])));
    // The first is not heard any more: what comes next is of the third.
    server.send(&notification("workspace/didChangeConfiguration", json!({"settings": null})));
    let third = server.wait_for_method("workspace/configuration");
    server.send(&response(&third["id"], json!([{"severity": "information"}])));
    assert_eq!(published_severity(&mut server), 3);
}

#[test]
fn a_client_that_cannot_be_asked_says_it_at_the_start_or_pushes_it() {
    let mut server = client(json!({}), json!({"settings": {"severity": "information"}}));
    assert_eq!(severity(&mut server, 1), 3);
    server
        .send(&notification("workspace/didChangeConfiguration", json!({"settings": {"other": {"severity": "hint"}}})));
    server.send(&notification(
        "workspace/didChangeConfiguration",
        json!({"settings": {"agentEdit": {"severity": "error"}}}),
    ));
    assert_eq!(published_severity(&mut server), 1);
    server.send(&notification("workspace/didChangeConfiguration", json!({"settings": {"agentEdit": {"severity": 1}}})));
    let told = server.wait_for_method("window/showMessage");
    assert!(told["params"]["message"].as_str().unwrap().contains("agentEdit.severity is 1"), "{told}");
    // What it says wrongly is as at the start.
    assert_eq!(published_severity(&mut server), 3);
}

#[test]
fn who_fails_to_answer_has_the_settings_of_the_start() {
    let options = json!({"settings": {"severity": "hint"}, "timeouts": {"answer": 1}});
    let mut server = client(json!({"workspace": {"configuration": true}}), options);
    let asked = server.wait_for_method("workspace/configuration");
    server.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32603, "message": "no"}}));
    assert_eq!(severity(&mut server, 1), 4);
}

#[test]
fn changes_are_registered_for_where_that_is_dynamic() {
    let workspace = json!({"configuration": true, "didChangeConfiguration": {"dynamicRegistration": true}});
    let mut server = client(json!({"workspace": workspace}), Value::Null);
    let asked = server.wait_for_method("client/registerCapability");
    let registration = &asked["params"]["registrations"][0];
    assert_eq!(registration["method"], "workspace/didChangeConfiguration");
    assert_eq!(registration["registerOptions"], json!({"section": "agentEdit"}));
    server.send(&response(&asked["id"], Value::Null));
    server.wait_for_method("workspace/configuration");
}
