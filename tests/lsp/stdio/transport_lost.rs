//! A change that does not reach the document is never passed over: the person is told, and no edit is made on a text that
//! may not be the editor's.

use fake_editor::{Server, batch, frame, notification, request};
use serde_json::{Value, json};

const URI: &str = "file:///folder/a.txt";
const OTHER: &str = "file:///folder/b.txt";

fn with_two_documents() -> Server {
    let mut server = Server::start(env!("CARGO_BIN_EXE_agent-edit"));
    let capabilities = json!({"workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true}}});
    server.send(&request("initialize", "initialize", json!({"capabilities": capabilities})));
    server.answer("initialize");
    server.send(&notification("initialized", json!({})));
    open(&mut server, URI, 1);
    open(&mut server, OTHER, 1);
    server
}

fn open(server: &mut Server, uri: &str, version: i64) {
    let item = json!({"uri": uri, "languageId": "text", "version": version, "text": "old"});
    server.send(&notification("textDocument/didOpen", json!({"textDocument": item})));
}

fn change() -> Value {
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    let params = json!({
        "textDocument": {"uri": URI, "version": 2},
        "contentChanges": [{"range": range, "text": "x"}],
    });
    notification("textDocument/didChange", params)
}

fn framed(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Whether a batch for `uri` gets as far as the editor.
#[track_caller]
fn is_followed(server: &mut Server, uri: &str) -> bool {
    server.send(&request(uri, "workspace/agentEdit", batch(uri, &[("old", "new")])));
    let next = server.wait_for("an answer or an edit", |it| it["id"] == uri || it["method"] == "workspace/applyEdit");
    next["method"] == "workspace/applyEdit"
}

/// After `bytes` the document is lost, and the person told so, until it is opened again.
#[track_caller]
fn check(bytes: &[u8], other_is_followed: bool) {
    let mut server = with_two_documents();
    server.send_raw(bytes);
    server.wait_for("a word on a.txt", |it| it["params"]["message"].as_str().is_some_and(|it| it.contains("a.txt")));
    assert!(!is_followed(&mut server, URI));
    assert_eq!(is_followed(&mut server, OTHER), other_is_followed);

    server.send(&notification("textDocument/didClose", json!({"textDocument": {"uri": URI}})));
    open(&mut server, URI, 3);
    assert!(is_followed(&mut server, URI));
}

#[test]
fn a_change_that_does_not_parse() {
    let mut versionless = change();
    versionless["params"]["textDocument"]["version"].take();
    check(&frame(&versionless), true);
    let mut columnless = change();
    columnless["params"]["contentChanges"][0]["range"]["start"]["character"] = json!(-1);
    check(&frame(&columnless), true);
    let mut with_an_id = change();
    with_an_id["id"] = json!(7);
    check(&frame(&with_an_id), true);
    let mut not_json_rpc = change();
    not_json_rpc["jsonrpc"].take();
    check(&frame(&not_json_rpc), true);
}

#[test]
fn a_change_that_is_not_json() {
    let text = json!({"jsonrpc": "2.0"}).to_string().replace('}', r#","method":"textDocument/didChange","params":"#);
    let params = change()["params"].to_string();
    let ordered = format!("{text}{{\"textDocument\":{},\"x\":\"\\ud800\"}}}}", change()["params"]["textDocument"]);
    check(&framed(&ordered), true);
    // Cut off before its document stands: it may have been any.
    check(&framed(&text), false);
    check(&framed(&format!("[{text}{params}}}]")), false);
}

#[test]
fn a_frame_that_is_none_may_have_been_a_change() {
    let body = change().to_string();
    check(format!("Content-Length: x\r\n\r\n{body}").as_bytes(), false);
    check(format!("{body}\n").as_bytes(), false);
}

#[test]
fn a_change_over_the_limit() {
    let body = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{URI}","version":2}},"contentChanges":[{{"text":"{}"}}]}}}}"#,
        "x".repeat(64 << 20)
    );
    check(&framed(&body), true);
}

#[test]
fn what_cannot_have_been_a_change_loses_nothing() {
    let mut server = with_two_documents();
    server.send_raw(&framed(r#"{"jsonrpc":"2.0","id":7,"method":"workspace/agentEdit","params":?}"#));
    assert_eq!(server.answer(7)["error"]["code"], -32700);
    server.send_raw(&framed(r#"{"jsonrpc":"2.0","method":"$/setTrace","params":?}"#));
    assert!(is_followed(&mut server, URI));
    assert!(is_followed(&mut server, OTHER));
}

fn typed(uri: &str, version: i64) -> Value {
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    let changes = json!([{"range": range, "text": "x"}]);
    notification(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}),
    )
}

#[test]
fn a_change_that_overtakes_the_opening_of_its_document_is_made_all_the_same() {
    let mut server = with_two_documents();
    let uri = "file:///folder/new.txt";
    server.send(&typed(uri, 1));
    open(&mut server, uri, 0);
    server.send(&request("batch", "workspace/agentEdit", batch(uri, &[("xold", "new")])));
    let edit = &server.wait_for_method("workspace/applyEdit")["params"]["edit"]["documentChanges"][0];
    assert_eq!(edit["textDocument"]["version"], 1, "{edit}");
}

#[test]
fn a_change_that_another_has_overtaken_loses_the_document() {
    let mut server = with_two_documents();
    server.send(&typed(URI, 3));
    server.send(&typed(URI, 2));
    server.wait_for("a word on a.txt", |it| it["params"]["message"].as_str().is_some_and(|it| it.contains("a.txt")));
    assert!(!is_followed(&mut server, URI));
    assert!(is_followed(&mut server, OTHER));
}
