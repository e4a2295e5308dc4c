//! `--log`: what the server says of itself on standard error; nothing without it, and no text of the person's but at trace.

use fake_editor::{Output, Server, batch, notification, request};
use serde_json::json;

const A: &str = "file:///a.txt";
/// What stands in documents, edits and broken messages.
const SECRET: &str = "hunter2";

/// What the server has written to standard error by the end of a short life: a document lost, a batch refused, one applied
/// by nobody, a message that is none, a reply to nothing.
fn stderr_of(arguments: &[&str]) -> String {
    let mut server = Server::start_with(env!("CARGO_BIN_EXE_agent-edit"), arguments, Output::Read);
    let client = json!({"name": "a client"});
    server.send(&request(0, "initialize", json!({"capabilities": {}, "clientInfo": client})));
    server.answer(0);
    server.send(&notification("initialized", json!({})));
    let text = format!("{SECRET}\n{SECRET}\n");
    let document = json!({"uri": A, "languageId": "text", "version": 1, "text": text});
    server.send(&notification("textDocument/didOpen", json!({"textDocument": document})));
    let mut refused = batch(A, &[(SECRET, "x"), ("nothing", SECRET)]);
    refused["agent"] = json!("somebody");
    server.send(&request(1, "workspace/agentEdit", refused));
    server.answer(1);
    server.send(&request(2, "workspace/agentEdit", json!({"documents": SECRET, "agent": SECRET})));
    server.answer(2);
    server.send(&request(3, "no/such/method", json!({})));
    server.answer(3);
    server.send(&json!({"jsonrpc": "2.0", "id": 99, "error": {"code": -1, "message": SECRET, "data": SECRET}}));
    server.send(&json!({"jsonrpc": "2.0", "method": 3, "params": SECRET}));
    server.send(&json!({"jsonrpc": SECRET, "method": "textDocument/didChange"}));
    server.send(&notification("textDocument/didChange", json!({"textDocument": {"uri": A}, "contentChanges": SECRET})));
    server.send(&request(4, "shutdown", json!(null)));
    server.answer(4);
    server.send(&notification("exit", json!(null)));
    assert_eq!(server.exit_code(), Some(0));
    server.stderr()
}

#[test]
fn without_it_nothing_is_said() {
    assert_eq!(stderr_of(&["lsp"]), "");
}

#[test]
fn a_batch_is_a_line_with_who_what_and_what_became_of_it() {
    let log = stderr_of(&["lsp", "--log"]);
    let line = log.lines().find(|it| it.contains("EDIT_CONFLICT")).unwrap_or_else(|| panic!("{log}"));
    for part in ["INFO", "agent=\"somebody\"", "documents=1", "edits=2", "id=b1", "ms="] {
        assert!(line.contains(part), "{part} in {line}");
    }
    assert!(log.lines().any(|it| it.contains("client=\"a client\"")), "{log}");
    assert!(!log.contains("workspace/agentEdit"), "requests are said at debug: {log}");
    assert!(!log.contains('\u{1b}'), "colours: {log}");
}

#[test]
fn a_request_is_a_line_with_its_method_and_the_code_of_its_error() {
    let log = stderr_of(&["lsp", "--log=debug"]);
    let answered = |method: &str, error: &str| {
        log.lines().any(|it| it.contains("answered") && it.contains(method) && it.contains(error) && it.contains("ms="))
    };
    assert!(answered("workspace/agentEdit", "error=-32803"), "{log}");
    assert!(answered("no/such/method", "error=-32601"), "{log}");
    assert!(answered("shutdown", ""), "{log}");
}

#[test]
fn texts_are_said_at_trace_alone() {
    let log = stderr_of(&["lsp", "--log=debug"]);
    assert!(
        log.contains("a reply to nothing") && log.contains("an unreadable message") && log.contains("is lost"),
        "{log}"
    );
    assert!(!log.contains(SECRET), "{log}");
    assert!(stderr_of(&["lsp", "--log=trace"]).contains(SECRET));
}

#[test]
fn a_filter_chooses_and_what_is_none_is_refused() {
    let log = stderr_of(&["lsp", "--log=agent_edit::transport=debug"]);
    assert!(log.contains("answered") && !log.contains("EDIT_CONFLICT"), "{log}");
    for wrong in ["--log=loud", "--log=agent_edit=loud"] {
        let mut server = Server::start_with(env!("CARGO_BIN_EXE_agent-edit"), &["lsp", wrong], Output::Read);
        assert_eq!(server.exit_code(), Some(2));
        assert!(server.stderr().contains("--log"), "{}", server.stderr());
    }
}
