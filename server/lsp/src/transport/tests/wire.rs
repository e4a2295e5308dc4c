//! The toy server's client: writes frames, reads messages.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tower_lsp::LspService;

use crate::transport::Limits;
use crate::transport::serve::serve;
use crate::transport::tests::Toy;

/// Far more than any test has unread.
const ROOM: usize = 64 << 20;
/// Far more than anything takes.
const DEADLINE: Duration = Duration::from_secs(20);

pub(crate) struct Wire {
    input: Option<DuplexStream>,
    output: BufReader<DuplexStream>,
    end: JoinHandle<i32>,
}

impl Wire {
    /// An initialized server.
    pub(crate) async fn new() -> Self {
        Self::with(Limits::default(), ROOM).await
    }

    /// An initialized server whose output holds `room` bytes.
    pub(crate) async fn with(limits: Limits, room: usize) -> Self {
        let mut wire = Self::uninitialized(limits, room);
        wire.request(0, "initialize", json!({"capabilities": {}})).await;
        wire.answer(0).await.expect("it can be initialized");
        wire
    }

    pub(crate) fn uninitialized(limits: Limits, room: usize) -> Self {
        let (input, server_input) = duplex(ROOM);
        let (output, server_output) = duplex(room);
        let (service, socket) = LspService::build(Toy::new)
            .custom_method("toy/note", Toy::note_it)
            .custom_method("toy/noted", Toy::noted)
            .custom_method("toy/ask", Toy::ask)
            .custom_method("toy/chat", Toy::chat)
            .custom_method("toy/panicAtOnce", Toy::panic_at_once)
            .custom_method("toy/panicLater", Toy::panic_later)
            .custom_method("toy/wait", Toy::wait)
            .finish();
        let end = tokio::spawn(serve(server_input, server_output, service, socket, limits, |it| it, Toy::unreadable));
        Self { input: Some(input), output: BufReader::new(output), end }
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        let write = self.input.as_mut().expect("it is open").write_all(bytes);
        timeout(DEADLINE, write).await.expect("the server goes on reading").expect("it has not ended");
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.write(&frame(&message)).await;
    }

    /// Sends requests with the ids from 0 in one piece.
    pub(crate) async fn requests(&mut self, count: usize, method: &str, params: Value) {
        let message = |id| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.write(&(0..count).flat_map(|id| frame(&message(id))).collect::<Vec<_>>()).await;
    }

    pub(crate) async fn request(&mut self, id: impl Into<Value>, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})).await;
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
    }

    pub(crate) async fn reply(&mut self, request: &Value, result: Value) {
        self.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": result})).await;
    }

    pub(crate) async fn cancel(&mut self, id: impl Into<Value>) {
        self.notify("$/cancelRequest", json!({"id": id.into()})).await;
    }

    /// The next message.
    pub(crate) async fn receive(&mut self) -> Value {
        self.receive_or_end().await.expect("the server has not ended")
    }

    async fn receive_or_end(&mut self) -> Option<Value> {
        timeout(DEADLINE, self.read()).await.expect("the server goes on writing, or ends")
    }

    async fn read(&mut self) -> Option<Value> {
        let mut header = String::new();
        self.output.read_line(&mut header).await.unwrap();
        let length = header.strip_prefix("Content-Length: ")?.trim_end().parse().unwrap();
        self.output.read_line(&mut header).await.unwrap();
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).await.unwrap();
        Some(serde_json::from_slice(&body).unwrap())
    }

    /// The next message, which has to be the answer to the request `id`: its result, or its error's code and message.
    pub(crate) async fn answer(&mut self, id: impl Into<Value>) -> Result<Value, (i64, String)> {
        let mut answer = self.receive().await;
        assert_eq!(answer["id"], id.into(), "{answer}");
        match answer["error"].take() {
            Value::Null => Ok(answer["result"].take()),
            error => Err((error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned())),
        }
    }

    /// What the server has noted down; nothing else may be on the way.
    pub(crate) async fn noted(&mut self) -> Value {
        self.request("noted", "toy/noted", Value::Null).await;
        self.answer("noted").await.unwrap()
    }

    /// Closes the input; then what is left to read, and the exit code.
    pub(crate) async fn close(mut self) -> (Vec<Value>, i32) {
        self.input = None;
        self.end().await
    }

    /// What is left to read, and the exit code.
    pub(crate) async fn end(mut self) -> (Vec<Value>, i32) {
        let mut rest = vec![];
        while let Some(message) = self.receive_or_end().await {
            rest.push(message);
        }
        (rest, self.end_unread().await)
    }

    /// The exit code, though nobody reads.
    pub(crate) async fn end_unread(self) -> i32 {
        timeout(DEADLINE, self.end).await.expect("the server ends").unwrap()
    }
}

fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
