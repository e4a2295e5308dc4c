//! What happens in which order.

use serde_json::{Value, json};

use super::wire::Wire;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_a_handler_does_before_its_first_await_happens_in_the_order_of_the_wire() {
    let mut wire = Wire::new().await;
    let notes: Vec<_> =
        (0..20_000).map(|at| json!({"at": at, "then": if at % 3 == 0 { "yield" } else { "end" }})).collect();
    for note in &notes {
        wire.notify("toy/note", note.clone()).await;
    }
    assert_eq!(wire.noted().await, Value::from(notes));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_a_handler_sends_goes_out_before_its_answer() {
    const REQUESTS: usize = 2_000;
    let mut wire = Wire::new().await;
    wire.requests(REQUESTS, "toy/chat", json!({"messages": 3})).await;
    let (mut messages, mut answers) = (0, 0);
    while answers < REQUESTS {
        match wire.receive().await {
            it if it["method"] == "window/logMessage" => messages += 1,
            _ => answers += 1,
        }
        assert!(messages >= 3 * answers, "{answers} answers after {messages} messages");
    }
    assert_eq!(messages, 3 * REQUESTS);
}
