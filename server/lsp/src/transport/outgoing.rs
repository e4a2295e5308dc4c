//! The one writer. It queues without bound, so that nobody ever waits for the client to read, and gives up on a client
//! that lets too many bytes lie.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::{FutureExt, StreamExt};
use serde::Serialize;
use serde_json::Value;
use tokio::io::{AsyncWrite, AsyncWriteExt, BufWriter};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tower_lsp::jsonrpc::{Request, Response};
use tower_lsp::{ClientSocket, Loopback};

use crate::transport::replies::Replies;

type Requests = <ClientSocket as Loopback>::RequestStream;

/// Takes answers. The writer ends when the last of these is gone and all is written.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing(UnboundedSender<Response>);

impl Outgoing {
    /// Starts the writer. Its task fails when the output does, or when more than `limit` bytes lie unread.
    pub(crate) fn start(
        output: impl AsyncWrite + Send + Unpin + 'static,
        requests: Requests,
        replies: Replies,
        limit: usize,
    ) -> (Self, JoinHandle<Result<(), String>>) {
        let (answers, to_answer) = unbounded_channel();
        let (queue, frames) = Queue::new(limit);
        let unread = Arc::clone(&queue.unread);
        let task = tokio::spawn(async move {
            tokio::try_join!(arrange(to_answer, requests, replies, queue), write(output, frames, unread)).map(drop)
        });
        (Self(answers), task)
    }

    /// Sends `answer`, after whatever its handler has sent.
    pub(crate) fn answer(&self, answer: Response) {
        // The writer is gone only when the process is about to be.
        let _ = self.0.send(answer);
    }
}

/// Puts answers and our own requests and notifications in one order: nothing that a handler sent comes after its answer.
async fn arrange(
    mut answers: UnboundedReceiver<Response>,
    mut requests: Requests,
    replies: Replies,
    queue: Queue,
) -> Result<(), String> {
    let send = |request: Request| match request.id() {
        Some(id) if !replies.expect(id) => Ok(()),
        _ => queue.push(&without_null(request)),
    };
    loop {
        tokio::select! {
            biased;
            Some(request) = requests.next() => send(request)?,
            answer = answers.recv() => {
                while let Some(Some(request)) = requests.next().now_or_never() {
                    send(request)?;
                }
                match answer {
                    Some(answer) => queue.push(&answer)?,
                    None => return Ok(()),
                }
            }
        }
    }
}

/// The client writes `"params": null` where there are none; JSON-RPC has an object or an array there, or nothing.
fn without_null(request: Request) -> Request {
    if request.params() != Some(&Value::Null) {
        return request;
    }
    let (method, id, _) = request.into_parts();
    match id {
        Some(id) => Request::build(method).id(id).finish(),
        None => Request::build(method).finish(),
    }
}

/// The bodies that wait to be written.
struct Queue {
    frames: UnboundedSender<Vec<u8>>,
    unread: Arc<AtomicUsize>,
    limit: usize,
}

impl Queue {
    fn new(limit: usize) -> (Self, UnboundedReceiver<Vec<u8>>) {
        let (frames, to_write) = unbounded_channel();
        (Self { frames, unread: Arc::default(), limit }, to_write)
    }

    fn push(&self, message: &impl Serialize) -> Result<(), String> {
        let body = serde_json::to_vec(message).expect("a message is made of JSON values");
        tracing::trace!(message = %String::from_utf8_lossy(&body), "written");
        // What lay there before counts, so that one message may be longer than the limit.
        let unread = self.unread.fetch_add(body.len(), Ordering::Relaxed);
        if unread > self.limit {
            return Err(format!("the client has left {unread} bytes unread"));
        }
        self.frames.send(body).map_err(|_| "the writer has ended".to_owned())
    }
}

async fn write(
    output: impl AsyncWrite + Unpin,
    mut frames: UnboundedReceiver<Vec<u8>>,
    unread: Arc<AtomicUsize>,
) -> Result<(), String> {
    let failed = |it: std::io::Error| format!("the client cannot be written to: {it}");
    let mut output = BufWriter::with_capacity(64 << 10, output);
    while let Some(body) = frames.recv().await {
        output.write_all(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes()).await.map_err(failed)?;
        output.write_all(&body).await.map_err(failed)?;
        if frames.is_empty() {
            output.flush().await.map_err(failed)?;
        }
        unread.fetch_sub(body.len(), Ordering::Relaxed);
    }
    output.flush().await.map_err(failed)
}
