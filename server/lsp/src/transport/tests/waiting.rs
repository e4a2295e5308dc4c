//! No number of waiting requests stops the reading.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::wire::Wire;
use crate::transport::Limits;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_thousand_requests_wait_for_the_client_while_it_goes_on_telling() {
    const REQUESTS: usize = 3_000;
    let mut wire = Wire::new().await;
    wire.requests(REQUESTS, "toy/ask", Value::Null).await;
    let notes: Vec<_> = (0..5_000).map(|at| json!({"at": at})).collect();
    for note in &notes {
        wire.notify("toy/note", note.clone()).await;
    }
    wire.request("noted", "toy/noted", Value::Null).await;

    let mut asked = vec![];
    let mut noted = None;
    while asked.len() < REQUESTS || noted.is_none() {
        match wire.receive().await {
            it if it["method"] == "workspace/applyEdit" => asked.push(it),
            it if it["id"] == "noted" => noted = Some(it["result"].clone()),
            other => panic!("{other}"),
        }
    }
    assert_eq!(noted, Some(notes.into()));
    for request in &asked {
        wire.reply(request, json!({"applied": true})).await;
    }
    let mut answered = HashSet::new();
    while answered.len() < REQUESTS {
        let answer = wire.receive().await;
        assert_eq!(answer["result"]["applied"], true, "{answer}");
        assert!(answered.insert(answer["id"].as_u64()), "two answers: {answer}");
    }
}

#[tokio::test]
async fn beyond_the_limit_requests_are_refused_and_the_others_go_on() {
    let mut wire = Wire::with(Limits { requests: 2, ..Limits::default() }, 1 << 20).await;
    wire.request(1, "toy/ask", Value::Null).await;
    wire.request(2, "toy/ask", Value::Null).await;
    let (first, _) = (wire.receive().await, wire.receive().await);
    wire.request(3, "toy/ask", Value::Null).await;
    assert_eq!(wire.answer(3).await, Err((-32803, "2 requests are running, and more are not taken".to_owned())));
    wire.reply(&first, json!({"applied": true})).await;
    assert!(wire.receive().await["result"]["applied"].as_bool().unwrap());
    assert_eq!(wire.noted().await, json!([]));
}

#[tokio::test]
async fn a_client_that_does_not_read_is_read_all_the_same() {
    let mut wire = Wire::with(Limits::default(), 1_000).await;
    wire.requests(3_000, "toy/chat", json!({"messages": 1})).await;
    // All that it holds is the answers' size. The client reads them when it likes.
    for _ in 0..6_000 {
        wire.receive().await;
    }
    assert_eq!(wire.noted().await, json!([]));
}

#[tokio::test]
async fn a_client_that_never_reads_ends_the_server() {
    let mut wire = Wire::with(Limits { unread: 10_000, ..Limits::default() }, 1_000).await;
    wire.requests(1_000, "toy/chat", json!({"messages": 1})).await;
    assert_eq!(wire.end_unread().await, 1);
}
