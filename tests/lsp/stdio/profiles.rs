//! What is done differently for whom: each editor's habits, and what is sent to a client nobody knows.

use fake_editor::{Character, Editor, Server, Setup, batch, document, notification, request, response};
use serde_json::{Value, json};

const SERVER: &str = env!("CARGO_BIN_EXE_agent-edit");
const A: &str = "file:///a.txt";
const B: &str = "file:///b.txt";
const TEXT: &str = "one\ntwo\n";

/// A client that announces this and has a document open, with its server.
fn client(capabilities: Value) -> Server {
    let mut server = Server::start(SERVER);
    // An editor that refuses is watched for a while all the same.
    let options = json!({"timeouts": {"settle": 20}});
    let params = json!({"capabilities": capabilities, "initializationOptions": options});
    server.send(&request(0, "initialize", params));
    server.answer(0);
    server.send(&notification("initialized", json!({})));
    let document = json!({"uri": A, "languageId": "text", "version": 4, "text": TEXT});
    server.send(&notification("textDocument/didOpen", json!({"textDocument": document})));
    server
}

/// The edit that is sent to a client that announces this of workspace edits.
fn edit_for(workspace_edit: Value) -> Value {
    let mut server = client(json!({"workspace": {"applyEdit": true, "workspaceEdit": workspace_edit}}));
    server.send(&request(1, "workspace/agentEdit", batch(A, &[("two", "2")])));
    let asked = server.wait_for_method("workspace/applyEdit");
    server.send(&response(&asked["id"], json!({"applied": false})));
    assert_eq!(server.answer(1)["error"]["data"]["code"], "NOT_APPLIED");
    asked["params"]["edit"].clone()
}

#[test]
fn an_edit_is_versioned_for_who_announces_that_in_either_way() {
    let versioned = json!({"uri": A, "version": 4});
    for announced in [json!({"documentChanges": true}), json!({"resourceOperations": ["create"]})] {
        let edit = edit_for(announced);
        assert_eq!(edit["documentChanges"][0]["textDocument"], versioned, "{edit}");
        assert!(edit.get("changes").is_none(), "{edit}");
    }
    for announced in [json!({}), json!({"documentChanges": false})] {
        let edit = edit_for(announced);
        assert_eq!(edit["changes"][A].as_array().map(Vec::len), Some(1), "{edit}");
        assert!(edit.get("documentChanges").is_none(), "{edit}");
    }
}

#[test]
fn who_takes_no_edits_is_told_so_and_can_still_ask() {
    let mut server = client(json!({"experimental": {"agentEdit": {"features": ["preview"]}}}));
    server.send(&request(1, "workspace/agentEdit", batch(A, &[("two", "2")])));
    let answer = server.answer(1);
    assert_eq!(answer["error"]["data"]["code"], "NOT_APPLIED", "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("workspace.applyEdit"), "{answer}");
    let mut preview = batch(A, &[("two", "2")]);
    preview["mode"] = json!("preview");
    server.send(&request(2, "workspace/agentEdit", preview));
    assert!(server.answer(2)["result"]["documents"][0]["diff"].is_string());
}

#[test]
fn who_knows_no_code_action_literals_is_given_commands() {
    let mut server = client(json!({}));
    server.send(&request(1, "workspace/agentEdit", batch(A, &[("o", "0")])));
    server.answer(1);
    let start = json!({"line": 0, "character": 0});
    let range = json!({"start": start, "end": start});
    let params = json!({"textDocument": {"uri": A}, "range": range, "context": {"diagnostics": []}});
    server.send(&request(2, "textDocument/codeAction", params));
    let actions = server.answer(2);
    let all = actions["result"].as_array().unwrap_or_else(|| panic!("{actions}"));
    assert!(!all.is_empty());
    for it in all {
        assert!(it["command"].is_string() && it["arguments"].is_array() && it.get("kind").is_none(), "{it}");
    }
}

#[test]
fn diagnostics_carry_what_was_announced_and_no_more() {
    let published = |announced: Value| {
        let mut server = client(json!({"textDocument": {"publishDiagnostics": announced}}));
        server.send(&request(1, "workspace/agentEdit", batch(A, &[("o", "0")])));
        server.answer(1);
        let params = server.wait_for_method("textDocument/publishDiagnostics")["params"].clone();
        (params.get("version").cloned(), params["diagnostics"][0].get("relatedInformation").is_some())
    };
    assert_eq!(published(json!({})), (None, false));
    assert_eq!(published(json!({"versionSupport": true})), (Some(json!(4)), false));
    assert_eq!(published(json!({"relatedInformation": true})), (None, true));
}

#[test]
fn what_is_typed_into_a_document_that_never_changed_is_not_edited_in_the_wrong_place() {
    for character in Character::ALL {
        let options = json!({"timeouts": {"settle": 200}});
        let mut editor = Editor::start_with(SERVER, Setup { options, ..Setup::new(character) });
        editor.open(A, TEXT);
        editor.open(B, TEXT);
        let id = editor.agent_edit(json!({"documents": [document(A, &[("two", "2")]), document(B, &[("two", "2")])]}));
        editor.hold_until(|it| !it.applications().is_empty());
        editor.type_over(A, 0..0, "typed\n");
        let answer = editor.answer(id);
        assert!(answer["error"]["data"]["code"].is_string(), "{answer}");
        while editor.advance() {}
        assert_eq!((editor.text(A), editor.text(B)), ("typed\none\ntwo\n", TEXT), "{character:?}");
        editor.finish();
    }
}

#[test]
fn a_lone_carriage_return_is_a_line_break_for_who_counts_it() {
    for character in Character::ALL {
        let mut editor = Editor::start(SERVER, character);
        editor.open(A, "one\rtwo\nthree\n");
        let id = editor.agent_edit(batch(A, &[("three", "3")]));
        let answer = editor.answer(id);
        if character == Character::AnswersFirst {
            while editor.advance() {}
            assert_eq!(editor.text(A), "one\rtwo\n3\n", "{answer}");
        } else {
            assert_eq!(answer["error"]["data"]["code"], "NOT_APPLIED", "{answer}");
            assert_eq!(editor.wait_for_messages().len(), 1);
            editor.close(A);
        }
        editor.finish();
    }
}

#[test]
fn what_others_take_for_line_breaks_is_none() {
    for character in Character::ALL {
        let mut editor = Editor::start(SERVER, character);
        editor.open(A, "a\u{b}b\u{c}c\u{85}d\u{2028}e\u{2029}🚀 one\ntwo\n");
        let id = editor.agent_edit(json!({"documents": [{
            "textDocument": {"uri": A, "version": editor.version(A)},
            "edits": [{"from": 1, "to": 1, "newText": "2\n", "expectedText": "two\n"}],
        }]}));
        let answer = editor.answer(id);
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        let id = editor.agent_edit(batch(A, &[("one", "1")]));
        editor.answer(id);
        while editor.advance() {}
        assert_eq!(editor.text(A), "a\u{b}b\u{c}c\u{85}d\u{2028}e\u{2029}🚀 1\n2\n");
        editor.finish();
    }
}

#[test]
fn new_text_has_the_line_endings_of_its_document() {
    for character in Character::ALL {
        let mut editor = Editor::start(SERVER, character);
        editor.open(A, "one\r\ntwo\r\n");
        let id = editor.agent_edit(batch(A, &[("two", "2\n3")]));
        let answer = editor.answer(id);
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        while editor.advance() {}
        assert_eq!(editor.text(A), "one\r\n2\r\n3\r\n");
        editor.finish();
    }
}
