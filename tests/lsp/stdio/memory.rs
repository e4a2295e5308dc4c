//! What a long message costs, and a long batch that is refused.

use fake_editor::{Character, Editor, Server, batch, request};
use serde_json::json;

/// The most memory that the server has had so far, in bytes.
#[cfg(target_os = "linux")]
fn peak(server: &Server) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).expect("it is running");
    let kib =
        status.lines().find_map(|it| it.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<usize>().ok());
    kib.expect("Linux gives it in kB") * 1024
}

/// A message with `text` in it costs about three times its length at most. It costs two or three, as the allocator has it.
#[cfg(target_os = "linux")]
#[track_caller]
fn check(text: &str) {
    let mut server = Server::start(env!("CARGO_BIN_EXE_agent-edit"));
    server.send(&request(0, "initialize", json!({"capabilities": {}})));
    server.answer(0);
    let before = peak(&server);
    let message = |id| request(id, "no/such/method", json!({"text": text}));
    // Several, since none may leave anything behind.
    for id in 1..4 {
        server.send(&message(id));
        server.answer(id);
    }
    let (cost, length) = (peak(&server) - before, message(1).to_string().len());
    assert!(cost < length * 7 / 2, "{} KiB for a message of {} KiB", cost >> 10, length >> 10);
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_message_costs_two_to_three_times_its_length() {
    const LENGTH: usize = 10 << 20;
    check(&"x".repeat(LENGTH));
    // What is escaped is put together once more on the way.
    check(&"let x = \"é\";\n".repeat(LENGTH / 16));
}

#[cfg(target_os = "linux")]
#[test]
fn a_refused_batch_is_kept_once_whatever_number_of_its_edits_fail() {
    const A: &str = "file:///a.txt";
    let mut editor = Editor::start(env!("CARGO_BIN_EXE_agent-edit"), Character::ChangesFirst);
    editor.open(A, "one\n");
    let before = peak(editor.server());
    let edits: Vec<_> = (0..200).map(|it| format!("nowhere {it} {}", "x".repeat(10_000))).collect();
    let edits: Vec<_> = edits.iter().map(|it| (it.as_str(), "")).collect();
    let params = batch(A, &edits);
    let length = params.to_string().len();
    let id = editor.agent_edit(params);
    assert_eq!(editor.answer(id)["error"]["data"]["code"], "EDIT_CONFLICT");
    let cost = peak(editor.server()) - before;
    // Its message, what is planned, what is kept; not one for each edit.
    assert!(cost < length * 20, "{} KiB for a batch of {} KiB", cost >> 10, length >> 10);
    editor.finish();
}
