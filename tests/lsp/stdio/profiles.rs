//! What is done differently for whom: each editor's habits, and what is sent to a client nobody knows.

use fake_editor::{Character, Editor, Folder, Server, Setup, batch, document, notification, request, response};
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

/// Neovim, saying this of itself, with these documents open at version 0, and its server.
fn neovim(agent_edit: Value, folder: Option<&str>, documents: &[(&str, &str)]) -> Server {
    let mut server = Server::start(SERVER);
    let capabilities = json!({
        "general": {"positionEncodings": ["utf-8"]},
        "workspace": {"applyEdit": true, "workspaceEdit": {"resourceOperations": ["create"]}},
        "experimental": {"agentEdit": agent_edit},
    });
    let folders = folder.map(|uri| json!([{"uri": uri, "name": "w"}]));
    let params = json!({
        "capabilities": capabilities, "clientInfo": {"name": "Neovim"}, "workspaceFolders": folders,
        "initializationOptions": {"timeouts": {"settle": 20}},
    });
    server.send(&request(0, "initialize", params));
    server.answer(0);
    server.send(&notification("initialized", json!({})));
    for (uri, text) in documents {
        let document = json!({"uri": uri, "languageId": "text", "version": 0, "text": text});
        server.send(&notification("textDocument/didOpen", json!({"textDocument": document})));
    }
    server
}

/// The document changes of the next edit, which is refused.
fn refused_changes(server: &mut Server) -> Value {
    let asked = server.wait_for_method("workspace/applyEdit");
    server.send(&response(&asked["id"], json!({"applied": false})));
    asked["params"]["edit"]["documentChanges"].clone()
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

#[test]
fn a_handler_that_checks_versions_is_given_all_documents_at_once_with_the_versions_they_have() {
    let edits = |agent_edit: Value| {
        let mut server = neovim(agent_edit, None, &[(A, TEXT), (B, TEXT)]);
        let params = json!({"documents": [document(A, &[("two", "2")]), document(B, &[("two", "2")])]});
        server.send(&request(1, "workspace/agentEdit", params));
        let changes = refused_changes(&mut server);
        assert_eq!(server.answer(1)["error"]["data"]["code"], "NOT_APPLIED");
        changes.as_array().unwrap().iter().map(|it| it["textDocument"].clone()).collect::<Vec<_>>()
    };
    let (a, b) = (json!({"uri": A, "version": 0}), json!({"uri": B, "version": 0}));
    assert_eq!(edits(json!({"checksVersions": true})), [a, b]);
    // Neovim's own handler looks at neither of both.
    assert_eq!(edits(json!({"features": []})), [json!({"uri": A, "version": 1})]);
}

#[test]
fn what_neovim_says_of_its_last_line_and_of_carriage_returns_is_understood() {
    let check = |text: &str, range: Value, new_text: &str, old: &str, expected: Value| {
        let mut server = neovim(json!({"checksVersions": true}), None, &[(A, text)]);
        let change = json!({"range": range, "text": new_text});
        let params = json!({"textDocument": {"uri": A, "version": 3}, "contentChanges": [change]});
        server.send(&notification("textDocument/didChange", params));
        server.send(&request(1, "workspace/agentEdit", batch(A, &[(old, "new")])));
        assert_eq!(refused_changes(&mut server)[0]["edits"][0]["range"], expected);
    };
    let range = |from: (u32, u32), to: (u32, u32)| {
        let position = |(line, character): (u32, u32)| json!({"line": line, "character": character});
        json!({"start": position(from), "end": position(to)})
    };
    check("one\ntwo", range((1, 3), (2, 0)), "\nthree\n", "three", range((2, 0), (2, 5)));
    check("one\ntwo", range((1, 0), (2, 0)), "", "one", range((0, 0), (0, 3)));
    check("one\r\ntwo\n", range((0, 3), (0, 4)), "", "one\ntwo", range((0, 0), (1, 3)));
    check("one\r\ntwo\n", range((0, 4), (0, 4)), "\nthree\r", "three\r\ntwo", range((1, 0), (2, 3)));
}

#[test]
fn a_byte_order_mark_in_a_file_that_is_not_open_is_no_column() {
    let folder = Folder::new("byte-order-mark");
    folder.write("a.txt", "\u{feff}one\ntwo\n");
    let mut server = neovim(json!({"checksVersions": true}), Some(&folder.uri("")), &[]);
    server.send(&request(1, "workspace/agentEdit", batch(&folder.uri("a.txt"), &[("one", "1")])));
    let end = json!({"line": 0, "character": 3});
    let changes = refused_changes(&mut server);
    assert_eq!(changes[0]["edits"][0]["range"], json!({"start": {"line": 0, "character": 0}, "end": end}), "{changes}");
}
