//! `$/cancelRequest`, and who decides what it means.

use serde_json::{Value, json};

use super::wire::Wire;

const CANCELLED: i64 = -32800;

#[tokio::test]
async fn most_requests_are_answered_at_once() {
    let mut wire = Wire::new().await;
    for id in [json!(1), json!("one")] {
        wire.request(id.clone(), "toy/ask", Value::Null).await;
        let asked = wire.receive().await;
        wire.cancel(id.clone()).await;
        assert_eq!(wire.answer(id).await, Err((CANCELLED, "Canceled".to_owned())));
        // Nobody waits for this any more.
        wire.reply(&asked, json!({"applied": true})).await;
    }
    assert_eq!(wire.noted().await, json!([]));
}

#[tokio::test]
async fn a_command_learns_of_it_and_decides() {
    let mut wire = Wire::new().await;
    wire.request(1, "workspace/executeCommand", json!({"command": "until cancelled"})).await;
    wire.cancel(1).await;
    assert_eq!(wire.answer(1).await.unwrap_err().0, CANCELLED);

    wire.request(2, "workspace/executeCommand", json!({"command": "ask and finish"})).await;
    let asked = wire.receive().await;
    wire.cancel(2).await;
    assert_eq!(wire.noted().await, json!([]));
    wire.reply(&asked, json!({"applied": true})).await;
    assert_eq!(wire.answer(2).await, Ok(json!({"applied": true, "cancelled": true})));
}

#[tokio::test]
async fn a_cancellation_of_nothing_is_passed_over() {
    let mut wire = Wire::new().await;
    for params in [json!({"id": 9}), json!({"id": "x"}), json!({"id": 1.5}), json!({}), json!(null), json!([1])] {
        wire.notify("$/cancelRequest", params).await;
    }
    assert_eq!(wire.noted().await, json!([]));
}
