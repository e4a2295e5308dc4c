//! What goes wrong is told to those whom it concerns, and the rest goes on.

use serde_json::{Value, json};

use super::wire::Wire;
use crate::transport::Limits;

#[tokio::test]
async fn a_panic_is_an_internal_error_of_its_own_request() {
    let mut wire = Wire::new().await;
    for (id, method) in [(1, "toy/panicAtOnce"), (2, "toy/panicLater")] {
        wire.request(id, method, Value::Null).await;
        let message = "Internal error: the server failed in this request".to_owned();
        assert_eq!(wire.answer(id).await, Err((-32603, message)));
    }
    assert_eq!(wire.noted().await, json!([]));
}

#[tokio::test]
async fn a_reply_that_says_nothing_fails_whoever_waits_for_it() {
    let mut wire = Wire::new().await;
    wire.request(1, "toy/ask", Value::Null).await;
    let asked = wire.receive().await;
    wire.send(json!({"jsonrpc": "2.0", "id": asked["id"]})).await;
    let message = "the reply has neither `result` nor `error`".to_owned();
    assert_eq!(wire.answer(1).await, Err((-32603, message)));

    wire.request(2, "toy/ask", Value::Null).await;
    let asked = wire.receive().await;
    let body = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{"applied":yes}}}}"#, asked["id"]);
    wire.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).await;
    let told = wire.answer(Value::Null).await;
    assert_eq!(told, Err((-32700, "Parse error: expected value at line 1 column 45".to_owned())));
    assert_eq!(wire.answer(2).await, told);
    assert_eq!(wire.noted().await, json!([]));
}

#[tokio::test]
async fn a_reply_to_nothing_is_passed_over() {
    let mut wire = Wire::new().await;
    wire.send(json!({"jsonrpc": "2.0", "id": 77, "result": null})).await;
    wire.send(json!({"jsonrpc": "2.0", "id": "x", "result": null})).await;
    wire.send(json!({"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": "what?"}})).await;
    assert_eq!(wire.noted().await, json!([]));
}

#[tokio::test]
async fn an_id_in_use_is_refused_without_touching_its_owner() {
    let mut wire = Wire::new().await;
    wire.request(1, "toy/ask", Value::Null).await;
    let asked = wire.receive().await;
    wire.request(1, "toy/ask", Value::Null).await;
    let message = "Invalid request: 1 is the id of a running request".to_owned();
    assert_eq!(wire.answer(Value::Null).await, Err((-32600, message)));
    wire.reply(&asked, json!({"applied": true})).await;
    assert_eq!(wire.answer(1).await, Ok(json!({"applied": true})));
    wire.request(1, "toy/chat", json!({"messages": 0})).await;
    assert_eq!(wire.answer(1).await, Ok(json!({"messages": 0})));
}

#[tokio::test]
async fn an_unknown_request_is_answered_whatever_its_name() {
    let mut wire = Wire::new().await;
    for method in ["toy/unknown", "$/unknown"] {
        wire.request(1, method, Value::Null).await;
        assert_eq!(wire.answer(1).await.unwrap_err().0, -32601);
        wire.notify(method, Value::Null).await;
    }
    assert_eq!(wire.noted().await, json!([]));
}

#[tokio::test]
async fn a_change_that_cannot_be_taken_in_is_told_in_its_place() {
    let change =
        |text: &str| json!({"textDocument": {"uri": "file:///a", "version": 1}, "contentChanges": [{"text": text}]});
    let mut wire = Wire::new().await;
    wire.notify("textDocument/didChange", change("one")).await;
    let mut versionless = change("two");
    versionless["textDocument"]["version"].take();
    wire.notify("textDocument/didChange", versionless).await;
    wire.notify("textDocument/didChange", change("three")).await;
    wire.notify("textDocument/didChange", change("panic")).await;
    wire.notify("textDocument/didChange", change("four")).await;
    let lost = |error: &str| json!({"unreadable": "file:///a", "method": "textDocument/didChange", "error": error});
    let (unparsed, failed) = ("invalid type: null, expected i32", "the server failed in it");
    assert_eq!(wire.noted().await, json!(["one", lost(unparsed), "three", lost(failed), "four"]));
}

#[tokio::test]
async fn a_change_that_asks_for_an_answer_gets_one_and_is_lost() {
    let mut wire = Wire::new().await;
    wire.request(1, "textDocument/didChange", json!({"textDocument": {"uri": "file:///a"}})).await;
    assert_eq!(wire.answer(1).await, Err((-32600, "Invalid request".to_owned())));
    let error = "a notification has no `id`";
    let lost = json!({"unreadable": "file:///a", "method": "textDocument/didChange", "error": error});
    assert_eq!(wire.noted().await, json!([lost]));
}

/// Writes `bytes`, for which one error has to come, and says which document may be out of step.
async fn lost_by(bytes: &[u8]) -> Value {
    let mut wire = Wire::new().await;
    wire.write(bytes).await;
    let told = wire.receive().await;
    assert!(told["error"]["message"].is_string(), "{told}");
    wire.noted().await.as_array().unwrap().iter().map(|it| it["unreadable"].clone()).collect()
}

#[tokio::test]
async fn a_broken_message_that_may_have_been_a_change_is_told() {
    let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes();
    let change = r#"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a"},x"#;
    assert_eq!(lost_by(&framed(change)).await, json!(["file:///a"]));
    assert_eq!(lost_by(&framed(&change[..80])).await, json!([null]));
    assert_eq!(lost_by(&framed(&change.replace("2.0", "1.0").replace(",x", "}}"))).await, json!(["file:///a"]));
    let batch = format!("[{}]", change.replace(",x", "}}"));
    assert_eq!(lost_by(&framed(&batch)).await, json!([null]));
    assert_eq!(lost_by(b"Content-Length: x\r\n\r\n{}").await, json!([null]));
    assert_eq!(lost_by(&framed("?")).await, json!([null]));

    assert_eq!(lost_by(&framed(r#"{"jsonrpc":"2.0","method":"toy/note","params":?}"#)).await, json!([]));
    assert_eq!(lost_by(&framed(r#"{"jsonrpc":"2.0","id":5,"params":?}"#)).await, json!([]));
    assert_eq!(lost_by(&framed(r#"{"jsonrpc":"2.0","id":5,"result":?}"#)).await, json!([]));
}

#[tokio::test]
async fn a_change_over_the_limit_is_told_with_its_document() {
    let mut wire = Wire::with(Limits { body: 300, ..Limits::default() }, 1 << 20).await;
    let text = "x".repeat(1_000);
    let body = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"file:///a"}},"x":"{text}"}}}}"#
    );
    wire.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes()).await;
    let message = format!("Invalid request: a message of {} bytes, where the limit is 300", body.len());
    assert_eq!(wire.answer(Value::Null).await, Err((-32600, message)));
    assert_eq!(wire.noted().await[0]["unreadable"], "file:///a");

    wire.request(5, "toy/note", json!({"text": text})).await;
    assert_eq!(wire.answer(5).await.unwrap_err().0, -32600);
}
