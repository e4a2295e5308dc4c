//! When the server ends, and with which exit code; its input stays open all the while where nothing else is said.

use fake_editor::{Server, notification, request};
use serde_json::{Value, json};

fn start() -> Server {
    Server::start(env!("CARGO_BIN_EXE_agent-edit"))
}

fn initialize(server: &mut Server) {
    server.send(&request(0, "initialize", json!({"capabilities": {}})));
    server.answer(0);
    server.send(&notification("initialized", json!({})));
}

fn shut_down(server: &mut Server) {
    server.send(&request("shutdown", "shutdown", Value::Null));
    assert_eq!(server.answer("shutdown")["result"], Value::Null);
}

fn exit(server: &mut Server) {
    server.send(&json!({"jsonrpc": "2.0", "method": "exit"}));
}

#[test]
fn exit_after_shutdown_is_0() {
    let mut server = start();
    initialize(&mut server);
    shut_down(&mut server);
    exit(&mut server);
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn all_in_one_write_is_answered_and_0() {
    let mut server = start();
    for message in [
        request(0, "initialize", json!({"capabilities": {}})),
        request(1, "no/such", json!({})),
        request(2, "shutdown", Value::Null),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ] {
        server.send(&message);
    }
    assert_eq!(server.exit_code(), Some(0));
    let ids: Vec<_> = server.unread().iter().map(|it| it["id"].clone()).collect();
    assert_eq!(ids, [0, 1, 2]);
}

#[test]
fn exit_without_shutdown_is_1() {
    let mut server = start();
    exit(&mut server);
    assert_eq!(server.exit_code(), Some(1));

    let mut server = start();
    initialize(&mut server);
    exit(&mut server);
    assert_eq!(server.exit_code(), Some(1));

    let mut server = start();
    server.send(&request(1, "shutdown", Value::Null));
    assert_eq!(server.answer(1)["error"]["code"], -32002);
    exit(&mut server);
    assert_eq!(server.exit_code(), Some(1));
}

#[test]
fn the_end_of_the_input_is_1_unless_after_shutdown() {
    let mut server = start();
    server.close_input();
    assert_eq!(server.exit_code(), Some(1));

    let mut server = start();
    initialize(&mut server);
    server.send_raw(b"Content-Length: 1000\r\n\r\n{\"jsonrpc\":");
    server.close_input();
    assert_eq!(server.exit_code(), Some(1));

    let mut server = start();
    initialize(&mut server);
    shut_down(&mut server);
    server.close_input();
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn after_shutdown_requests_are_refused() {
    let mut server = start();
    initialize(&mut server);
    shut_down(&mut server);
    for method in ["workspace/agentEdit", "shutdown", "initialize", "no/such"] {
        server.send(&request(method, method, json!({})));
        assert_eq!(server.answer(method)["error"]["code"], -32600, "{method}");
    }
    exit(&mut server);
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn a_length_that_nobody_can_mean_is_1_with_a_word() {
    for length in ["1099511627776", "99999999999999999999999"] {
        let mut server = start();
        initialize(&mut server);
        server.send_raw(format!("Content-Length: {length}\r\n\r\n{{}}").as_bytes());
        assert_eq!(server.receive()["error"]["code"], -32700);
        assert_eq!(server.exit_code(), Some(1));
        assert!(server.stderr().contains("cannot be skipped"), "{}", server.stderr());
    }
}
