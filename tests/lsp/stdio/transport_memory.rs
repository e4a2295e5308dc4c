//! What a long message costs.

use fake_editor::{Server, request};
use serde_json::json;

/// The most memory that the server has had so far, in bytes.
#[cfg(target_os = "linux")]
fn peak(server: &Server) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).expect("it is running");
    let kib =
        status.lines().find_map(|it| it.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<usize>().ok());
    kib.expect("Linux gives it in kB") * 1024
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_message_costs_little_more_than_twice_its_length() {
    const LENGTH: usize = 10 << 20;
    let mut server = Server::start(env!("CARGO_BIN_EXE_agent-edit"));
    server.send(&request(0, "initialize", json!({"capabilities": {}})));
    server.answer(0);
    let before = peak(&server);
    // Several, since none must leave anything behind.
    for id in 1..5 {
        server.send(&request(id, "no/such/method", json!({"text": "x".repeat(LENGTH)})));
        server.answer(id);
    }
    let cost = peak(&server) - before;
    println!("{} KiB for a message of {} KiB", cost >> 10, LENGTH >> 10);
    assert!(cost < 5 * LENGTH / 2, "{} KiB for a message of {} KiB", cost >> 10, LENGTH >> 10);
}
