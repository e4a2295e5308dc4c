//! How it ends, and with which code.

use serde_json::{Value, json};

use super::wire::Wire;
use crate::transport::Limits;

async fn shut_down(wire: &mut Wire) {
    wire.request("shutdown", "shutdown", Value::Null).await;
    assert_eq!(wire.answer("shutdown").await, Ok(Value::Null));
}

#[tokio::test]
async fn exit_after_shutdown_is_0_and_else_1() {
    let mut wire = Wire::new().await;
    shut_down(&mut wire).await;
    wire.notify("exit", Value::Null).await;
    assert_eq!(wire.end().await, (vec![], 0));

    let mut wire = Wire::new().await;
    wire.notify("exit", Value::Null).await;
    assert_eq!(wire.end().await, (vec![], 1));
}

#[tokio::test]
async fn the_end_of_the_input_after_shutdown_is_0_and_else_1() {
    let mut wire = Wire::new().await;
    shut_down(&mut wire).await;
    assert_eq!(wire.close().await, (vec![], 0));
    assert_eq!(Wire::new().await.close().await, (vec![], 1));

    let mut wire = Wire::new().await;
    wire.write(b"Content-Length: 100\r\n\r\n{").await;
    assert_eq!(wire.close().await, (vec![], 1));
}

#[tokio::test]
async fn a_shutdown_that_is_refused_is_none() {
    let mut wire = Wire::uninitialized(Limits::default(), 1 << 20);
    wire.request(1, "shutdown", Value::Null).await;
    assert_eq!(wire.answer(1).await.unwrap_err().0, -32002);
    wire.notify("exit", Value::Null).await;
    assert_eq!(wire.end().await, (vec![], 1));
}

#[tokio::test]
async fn after_shutdown_requests_are_refused() {
    let mut wire = Wire::new().await;
    shut_down(&mut wire).await;
    for method in ["toy/chat", "toy/unknown", "shutdown", "initialize"] {
        wire.request(1, method, Value::Null).await;
        let message = "Invalid request: the server is shutting down".to_owned();
        assert_eq!(wire.answer(1).await, Err((-32600, message)), "{method}");
    }
}

#[tokio::test]
async fn all_that_was_asked_before_the_end_is_answered() {
    let mut wire = Wire::new().await;
    wire.requests(1_000, "toy/chat", json!({"messages": 2})).await;
    let (rest, code) = wire.close().await;
    assert_eq!((rest.len(), code), (3_000, 1));
}

#[tokio::test]
async fn those_who_wait_for_the_client_learn_that_it_has_gone() {
    let mut wire = Wire::new().await;
    wire.request(1, "toy/ask", Value::Null).await;
    assert_eq!(wire.receive().await["method"], "workspace/applyEdit");
    wire.request(2, "workspace/executeCommand", json!({"command": "until cancelled"})).await;
    let (mut rest, code) = wire.close().await;
    rest.sort_by_key(|it| it["id"].as_i64());
    let errors: Vec<_> = rest.iter().map(|it| (&it["id"], &it["error"]["message"])).collect();
    assert_eq!(errors, [(&json!(1), &json!("the client has gone")), (&json!(2), &json!("Canceled"))]);
    assert_eq!(code, 1);
}

#[tokio::test]
async fn a_handler_that_never_ends_holds_nobody_up() {
    let mut wire = Wire::new().await;
    wire.request(1, "toy/wait", Value::Null).await;
    shut_down(&mut wire).await;
    wire.notify("exit", Value::Null).await;
    assert_eq!(wire.end().await, (vec![], 0));
}

#[tokio::test]
async fn an_unread_output_holds_nobody_up() {
    let mut wire = Wire::with(Limits::default(), 1_000).await;
    wire.request(1, "toy/chat", json!({"messages": 100})).await;
    wire.notify("exit", Value::Null).await;
    assert_eq!(wire.end_unread().await, 1);
}
