//! No number of waiting requests, and no client that is slow to read or to answer, stops the server's reading.

use std::collections::HashSet;

use fake_editor::{Output, Server, batch, notification, request, response};
use serde_json::{Value, json};

/// An editor without behaviour: what comes is answered by the test, or not.
#[track_caller]
fn initialized(output: Output) -> Server {
    let mut server = Server::start_with(env!("CARGO_BIN_EXE_agent-edit"), &["lsp"], output);
    let capabilities = json!({
        "workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true}},
        "experimental": {"agentEdit": {"features": ["preview"]}},
    });
    // However slow the machine is, the editor is waited for.
    let options = json!({"timeouts": {"answer": 3_600_000}});
    server.send(&request(
        "initialize",
        "initialize",
        json!({"capabilities": capabilities, "initializationOptions": options}),
    ));
    if output == Output::Read {
        server.answer("initialize");
    }
    server.send(&notification("initialized", json!({})));
    server
}

fn uri(number: usize) -> String {
    format!("file:///folder/{number}.txt")
}

fn open(server: &mut Server, uri: &str, text: &str) {
    let item = json!({"uri": uri, "languageId": "text", "version": 1, "text": text});
    server.send(&notification("textDocument/didOpen", json!({"textDocument": item})));
}

fn change(server: &mut Server, uri: &str, version: usize, text: &str) {
    let params = json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]});
    server.send(&notification("textDocument/didChange", params));
}

/// Asks for "old" to become "new".
fn ask(server: &mut Server, id: usize, uri: &str) {
    server.send(&request(id, "workspace/agentEdit", batch(uri, &[("old", "new")])));
}

fn preview(server: &mut Server, id: &str, uri: &str, old_text: &str, new_text: &str) {
    let mut params = batch(uri, &[(old_text, new_text)]);
    params["mode"] = "preview".into();
    server.send(&request(id, "workspace/agentEdit", params));
}

/// The document that a `workspace/applyEdit` is about.
fn edited(apply: &Value) -> String {
    apply["params"]["edit"]["documentChanges"][0]["textDocument"]["uri"]
        .as_str()
        .expect("it edits a document")
        .to_owned()
}

/// Does what a `workspace/applyEdit` asks for.
fn apply(server: &mut Server, apply: &Value) {
    change(server, &edited(apply), 2, "new");
    server.send(&response(&apply["id"], json!({"applied": true})));
}

#[test]
fn three_thousand_batches_wait_while_the_person_goes_on_typing() {
    const BATCHES: usize = 3_000;
    let mut server = initialized(Output::Read);
    for number in 0..BATCHES {
        open(&mut server, &uri(number), "old");
    }
    open(&mut server, "file:///folder/typed.txt", "");
    for number in 0..BATCHES {
        ask(&mut server, number, &uri(number));
    }
    let mut asked: Vec<_> = (0..BATCHES).map(|_| server.wait_for_method("workspace/applyEdit")).collect();

    for version in 2..5_002 {
        change(&mut server, "file:///folder/typed.txt", version, &format!("typed {version}"));
    }
    preview(&mut server, "typed?", "file:///folder/typed.txt", "typed 5001", "read");
    let typed = server.answer("typed?");
    assert_eq!(typed["result"]["documents"][0]["textDocument"]["version"], 5_001, "{typed}");

    // In another order than asked.
    asked.reverse();
    for it in &asked {
        apply(&mut server, it);
    }
    let mut answered = HashSet::new();
    while answered.len() < BATCHES {
        let answer = server.wait_for("an answer", |it| it["method"].is_null());
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        assert!(answered.insert(answer["id"].as_u64()), "two answers to {}", answer["id"]);
    }
}

#[test]
fn a_client_that_writes_before_it_reads_is_read() {
    const REQUESTS: usize = 3_000;
    let mut server = initialized(Output::Held);
    // Its name comes back in the answer.
    let unknown = "x".repeat(4 << 10);
    for id in 0..REQUESTS {
        server.send(&request(id, &unknown, json!({})));
    }
    server.written();
    server.read_output();
    server.answer("initialize");
    let mut answered = HashSet::new();
    for _ in 0..REQUESTS {
        let answer = server.receive();
        assert_eq!(answer["error"]["data"], unknown);
        assert!(answered.insert(answer["id"].as_u64()), "two answers to {}", answer["id"]);
    }
}

#[test]
fn what_a_request_tells_comes_before_its_answer() {
    const REQUESTS: usize = 200;
    let mut server = initialized(Output::Read);
    for number in 0..REQUESTS {
        open(&mut server, &uri(number), "other");
    }
    for number in 0..REQUESTS {
        ask(&mut server, number, &uri(number));
    }
    let mut told = HashSet::new();
    let mut answered = 0;
    while answered < REQUESTS {
        let message = server.receive();
        if message["method"] == "textDocument/publishDiagnostics" {
            told.insert(message["params"]["uri"].as_str().unwrap().to_owned());
        } else {
            let number = message["id"].as_u64().unwrap() as usize;
            assert_eq!(message["error"]["data"]["code"], "EDIT_CONFLICT", "{message}");
            assert!(told.contains(&uri(number)), "{number} is answered before its conflict is shown");
            answered += 1;
        }
    }
}

#[test]
fn a_batch_cancelled_while_the_editor_has_it_tells_the_truth() {
    let mut server = initialized(Output::Read);
    for number in 0..2 {
        open(&mut server, &uri(number), "old");
        ask(&mut server, number, &uri(number));
    }
    // In the second's place in the queue of its document.
    ask(&mut server, 2, &uri(1));
    let asked = [server.wait_for_method("workspace/applyEdit"), server.wait_for_method("workspace/applyEdit")];
    for number in 0..3 {
        server.send(&notification("$/cancelRequest", json!({"id": number})));
    }
    let cancelled = server.answer(2);
    assert_eq!(cancelled["error"]["code"], -32800, "{cancelled}");
    for it in &asked {
        apply(&mut server, it);
    }
    for number in 0..2 {
        let answer = server.answer(number);
        assert_eq!(answer["result"]["applied"], true, "{answer}");
    }
}

#[test]
fn a_reply_that_says_nothing_fails_the_batch_that_waits_for_it() {
    let mut server = initialized(Output::Read);
    open(&mut server, &uri(0), "old");
    ask(&mut server, 0, &uri(0));
    let asked = server.wait_for_method("workspace/applyEdit");
    server.send(&json!({"jsonrpc": "2.0", "id": asked["id"]}));
    let answer = server.answer(0);
    assert_eq!(answer["error"]["data"]["code"], "NOT_APPLIED", "{answer}");
    let reason = answer["error"]["data"]["reason"].as_str().unwrap();
    assert!(reason.contains("neither `result` nor `error`"), "{answer}");
}

#[test]
fn a_batch_that_the_editor_leaves_behind_is_answered() {
    let mut server = initialized(Output::Read);
    open(&mut server, &uri(0), "old");
    ask(&mut server, 0, &uri(0));
    server.wait_for_method("workspace/applyEdit");
    server.close_input();
    assert_eq!(server.exit_code(), Some(1));
    let answer = server.answer(0);
    assert_eq!(answer["error"]["data"]["code"], "NOT_APPLIED", "{answer}");
}
