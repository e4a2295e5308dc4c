//! Each message that is none gets one clear error, and what comes after it is served as if nothing had been.

use fake_editor::{Server, frame, notification, request};
use serde_json::{Value, json};

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;

#[track_caller]
fn initialized() -> Server {
    let mut server = Server::start(env!("CARGO_BIN_EXE_agent-edit"));
    server.send(&request(0, "initialize", json!({"capabilities": {}})));
    assert!(server.answer(0)["result"]["capabilities"].is_object());
    server.send(&notification("initialized", json!({})));
    server
}

/// The server still answers, has nothing more to say, and ends as it should.
#[track_caller]
fn is_well(mut server: Server) {
    server.send(&request("well?", "no/such/method", json!({})));
    assert_eq!(server.receive()["error"]["code"], METHOD_NOT_FOUND);
    server.send(&request("end", "shutdown", Value::Null));
    assert_eq!(server.receive(), json!({"jsonrpc": "2.0", "id": "end", "result": null}));
    server.send(&json!({"jsonrpc": "2.0", "method": "exit"}));
    assert_eq!(server.exit_code(), Some(0));
    assert_eq!(server.unread(), [] as [Value; 0]);
}

/// For `bytes` there is one error, with this code and id.
#[track_caller]
fn check(bytes: impl AsRef<[u8]>, code: i64, id: Value) {
    let mut server = initialized();
    // Twice: the first must leave nothing behind that hides or spoils the second.
    for _ in 0..2 {
        server.send_raw(bytes.as_ref());
        server.send(&request("next", "no/such/method", json!({})));
        let told = server.receive();
        assert_eq!((&told["error"]["code"], &told["id"]), (&json!(code), &id), "{told}");
        assert!(told["error"]["message"].as_str().is_some_and(|it| it.len() > 20), "{told}");
        let next = server.receive();
        assert_eq!((&next["error"]["code"], &next["id"]), (&json!(METHOD_NOT_FOUND), &json!("next")), "{next}");
    }
    is_well(server);
}

/// For a frame with this body.
#[track_caller]
fn check_body(body: impl AsRef<[u8]>, code: i64, id: Value) {
    let body = body.as_ref();
    check([format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat(), code, id);
}

/// `bytes` are taken as what they mean, without a word.
#[track_caller]
fn is_tolerated(bytes: &str) {
    let mut server = initialized();
    server.send_raw(bytes.as_bytes());
    let answer = server.receive();
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(METHOD_NOT_FOUND), &json!(5)), "{bytes:?}");
    is_well(server);
}

const CALL: &str = r#"{"jsonrpc":"2.0","id":5,"method":"no/such"}"#;

#[test]
fn a_body_that_is_no_json() {
    check_body("", PARSE_ERROR, Value::Null);
    check_body("hello", PARSE_ERROR, Value::Null);
    check_body("\u{feff}{}", PARSE_ERROR, Value::Null);
    check_body(r#"{"jsonrpc":"2.0","id":5,"method":"no/such","params":{"a":}}"#, PARSE_ERROR, json!(5));
    check_body(r#"{"jsonrpc":"2.0","id":"five","method":"no/such""#, PARSE_ERROR, json!("five"));
    check_body(
        b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"no/such\",\"params\":[\"\xff\xfe\"]}",
        PARSE_ERROR,
        json!(5),
    );
    check_body(r#"{"jsonrpc":"2.0","id":5,"method":"no/such","params":["\ud800"]}"#, PARSE_ERROR, json!(5));
}

#[test]
fn a_body_that_is_json_and_no_message() {
    check_body("17", INVALID_REQUEST, Value::Null);
    check_body("{}", INVALID_REQUEST, Value::Null);
    check_body(format!("[{CALL}]"), INVALID_REQUEST, Value::Null);
    check_body("[]", INVALID_REQUEST, Value::Null);
    check_body(CALL.replace("2.0", "1.0"), INVALID_REQUEST, json!(5));
    check_body(CALL.replace(r#""jsonrpc":"2.0","#, ""), INVALID_REQUEST, json!(5));
    check_body(CALL.replace(r#""no/such""#, "7"), INVALID_REQUEST, json!(5));
    for id in ["1.5", "null", "true", "{}", "[5]", "1e99"] {
        check_body(CALL.replace('5', id), INVALID_REQUEST, Value::Null);
    }
}

#[test]
fn nesting_without_end() {
    const DEEP: usize = 100_000;
    let (open, close) = ("[".repeat(DEEP), "]".repeat(DEEP));
    let params = |params: &str| CALL.replace("}", &format!(r#","params":{params}}}"#));
    check_body(params(&format!("{open}{close}")), PARSE_ERROR, json!(5));
    check_body(params(&open), PARSE_ERROR, json!(5));
    check_body(&open, INVALID_REQUEST, Value::Null);
    check_body(r#"{"a":"#.repeat(DEEP), PARSE_ERROR, Value::Null);
}

#[test]
fn a_header_that_is_none() {
    for header in [
        "Content-Length: -5",
        "Content-Length: +5",
        "Content-Length: five",
        "Content-Length: 0x2b",
        "Content-Length:",
        "Content-Length 43",
        "Content-Type: application/vscode-jsonrpc; charset=utf-8",
        "Content-Length: 43\r\nContent-Length: 44",
        "POST / HTTP/1.1",
    ] {
        check(format!("{header}\r\n\r\n{CALL}"), PARSE_ERROR, Value::Null);
    }
    check(format!("{}: 1\r\n\r\n{CALL}", "x".repeat(20_000)), PARSE_ERROR, Value::Null);
    check(format!("{CALL}\n{CALL}\n"), PARSE_ERROR, Value::Null);
}

#[test]
fn a_length_that_is_not_the_bodys() {
    check(format!("Content-Length: {}\r\n\r\n{CALL}", CALL.len() - 7), PARSE_ERROR, json!(5));
    check(format!("Content-Length: {}\r\n\r\n{CALL}", CALL.len() + 7), PARSE_ERROR, json!(5));
    check(format!("Content-Length: {}\r\n\r\n{CALL}", CALL.len() + 30), PARSE_ERROR, json!(5));
    // As a client counts that takes UTF-16 units for bytes.
    let call = CALL.replace("such", "sǔch🚀🚀");
    check(format!("Content-Length: {}\r\n\r\n{call}", call.encode_utf16().count()), PARSE_ERROR, json!(5));
}

#[test]
fn headers_that_others_write() {
    let length = CALL.len();
    is_tolerated(&format!("content-length: {length}\r\n\r\n{CALL}"));
    is_tolerated(&format!("CONTENT-LENGTH:{length}\r\n\r\n{CALL}"));
    is_tolerated(&format!("Content-Length: {length}\n\n{CALL}"));
    is_tolerated(&format!("\r\n\r\n\nContent-Length: {length}\r\n\r\n{CALL}\r\n"));
    is_tolerated(&format!("Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{CALL}"));
    is_tolerated(&format!("A: 1\r\nB: 2\r\nC: 3\r\nContent-Length: {length}\r\nD: 4\r\n\r\n{CALL}"));
}

#[test]
fn a_message_over_the_limit_is_skipped() {
    let mut server = initialized();
    let text = "x".repeat(65 << 20);
    server.send(&request(5, "no/such", json!({"text": text})));
    let told = server.receive();
    assert_eq!((&told["error"]["code"], &told["id"]), (&json!(INVALID_REQUEST), &json!(5)), "{told}");
    assert!(told["error"]["message"].as_str().unwrap().contains("the limit is 67108864"), "{told}");
    is_well(server);
}

#[test]
fn hostile_bodies_cost_no_more_than_their_length() {
    const SIZE: usize = 8 << 20;
    let mut server = initialized();
    let header = |length: usize| format!("Content-Length: {length}\r\n\r\n");
    for unit in ["[", r#"{"a":"#, "Content-Length: ", "c", "\r\n", "1", "\"", "{},"] {
        let body = unit.repeat(SIZE / unit.len());
        server.send_raw([header(body.len()), body].concat().as_bytes());
        assert!(server.receive()["error"]["code"].is_i64(), "{unit}");
    }
    // Each header promises all that follows, and each is told.
    let mut nested = String::new();
    let mut left = 1 << 20;
    while left > 100 {
        let next = format!("{}{{}}", header(left));
        left -= next.len();
        nested.push_str(&next);
    }
    server.send_raw(format!("{nested}{}", " ".repeat(200)).as_bytes());
    server.send(&request("nested", "no/such", json!({})));
    server.answer("nested");
    // Garbage without any header.
    server.send_raw("garbage ".repeat(SIZE / 8).as_bytes());
    server.send(&request("garbage", "no/such", json!({})));
    server.answer("garbage");
    assert!(server.unread().iter().all(|it| it["error"]["code"].is_i64()));
    server.send(&request("end", "shutdown", Value::Null));
    assert_eq!(server.answer("end")["result"], Value::Null);
}

#[test]
fn garbage_before_anything_else() {
    let mut server = Server::start(env!("CARGO_BIN_EXE_agent-edit"));
    server.send_raw(b"\x00\x01\xff garbage\r\n\r\n");
    server.send_raw(&frame(&request(0, "initialize", json!({"capabilities": {}}))));
    assert_eq!(server.receive()["error"]["code"], PARSE_ERROR);
    assert!(server.receive()["result"].is_object());
    is_well(server);
}
