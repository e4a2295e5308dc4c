//! The built server as a process: bytes in, messages out, every wait with a deadline, killed when dropped.

use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::frame::{self, frame};
use crate::rpc::{Kind, kind};

/// How long anything may take before the test fails: far more than a loaded machine needs, so that it is a fault.
pub const DEADLINE: Duration = Duration::from_secs(20);

/// Whether the server's output is read while the test does something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// From the start.
    Read,
    /// Not before [`Server::read_output`]: a client that writes before it reads.
    Held,
}

/// A running server.
#[derive(Debug)]
pub struct Server {
    child: Child,
    input: Option<Sender<ToWrite>>,
    written: Receiver<Result<(), String>>,
    held: Option<Sender<()>>,
    arrivals: Receiver<Arrival>,
    unread: VecDeque<Value>,
    ended: bool,
    stderr: Arc<Mutex<String>>,
    errors: Option<thread::JoinHandle<()>>,
}

#[derive(Debug)]
enum ToWrite {
    Bytes(Vec<u8>),
    Report,
}

#[derive(Debug)]
enum Arrival {
    Message(Value),
    Fault(String),
    End,
}

impl Server {
    /// Starts `binary lsp`.
    #[must_use]
    pub fn start(binary: &str) -> Self {
        Self::start_with(binary, &["lsp"], Output::Read)
    }

    /// Starts `binary` with `arguments`.
    #[must_use]
    pub fn start_with(binary: &str, arguments: &[&str], output: Output) -> Self {
        let mut child = Command::new(binary)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|it| panic!("cannot start {binary}: {it}"));
        let stdin = child.stdin.take().expect("it is piped");
        let stdout = child.stdout.take().expect("it is piped");
        let mut errors = child.stderr.take().expect("it is piped");

        let (input, to_write) = channel();
        let (report, written) = channel();
        thread::spawn(move || write_all(stdin, &to_write, &report));

        let (release, held) = channel::<()>();
        let (found, arrivals) = channel();
        thread::spawn(move || {
            if output == Output::Held {
                // Released by a message, or by the end of the test that holds the sender.
                let _ = held.recv();
            }
            read_all(stdout, &found);
        });

        let stderr = Arc::new(Mutex::new(String::new()));
        let copy = Arc::clone(&stderr);
        let errors = thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = errors.read(&mut bytes) {
                copy.lock().expect("nobody panics under it").push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });

        Self {
            child,
            input: Some(input),
            written,
            held: Some(release),
            arrivals,
            unread: VecDeque::new(),
            ended: false,
            stderr,
            errors: Some(errors),
        }
    }

    /// Sends `message` in a frame. Never waits.
    pub fn send(&mut self, message: &Value) {
        self.send_raw(&frame(message));
    }

    /// Sends these bytes as they are. Never waits.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_ref().expect("the input is open");
        input.send(ToWrite::Bytes(bytes.to_vec())).expect("the writer lives as long as its sender");
    }

    /// Waits until the operating system has taken all that was sent.
    #[track_caller]
    pub fn written(&mut self) {
        let input = self.input.as_ref().expect("the input is open");
        input.send(ToWrite::Report).expect("the writer lives as long as its sender");
        match self.written.recv_timeout(DEADLINE) {
            Ok(Ok(())) => {}
            Ok(Err(it)) => panic!("the server's input cannot be written: {it}{}", self.state()),
            Err(_) => panic!("the server has stopped reading its input{}", self.state()),
        }
    }

    /// Closes the server's input, after all that was sent.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Lets output that was [`Output::Held`] be read.
    pub fn read_output(&mut self) {
        self.held = None;
    }

    /// The next message.
    #[track_caller]
    pub fn receive(&mut self) -> Value {
        match self.unread.pop_front() {
            Some(it) => it,
            None => self.arrive("any message", Instant::now() + DEADLINE),
        }
    }

    /// The next message, if one has already arrived.
    #[track_caller]
    pub fn try_receive(&mut self) -> Option<Value> {
        if let Some(it) = self.unread.pop_front() {
            return Some(it);
        }
        match self.arrivals.try_recv().ok()? {
            Arrival::Message(it) => Some(it),
            Arrival::Fault(it) => panic!("the server wrote {it}{}", self.state()),
            Arrival::End => {
                self.ended = true;
                None
            }
        }
    }

    /// The first message that `wanted` accepts; those before it stay unread.
    #[track_caller]
    pub fn wait_for(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.unread.iter().position(&wanted) {
            return self.unread.remove(at).expect("it was found there");
        }
        let deadline = Instant::now() + DEADLINE;
        loop {
            let message = self.arrive(what, deadline);
            if wanted(&message) {
                return message;
            }
            self.unread.push_back(message);
        }
    }

    /// The answer to the request with this id.
    #[track_caller]
    pub fn answer(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        self.wait_for(&format!("the answer to {id}"), |it| kind(it) == Ok(Kind::Response { id: id.clone() }))
    }

    /// The next request or notification of this method.
    #[track_caller]
    pub fn wait_for_method(&mut self, method: &str) -> Value {
        self.wait_for(method, |it| it["method"] == method)
    }

    /// What has arrived and nobody has taken.
    #[must_use]
    pub fn unread(&self) -> Vec<Value> {
        self.unread.iter().cloned().collect()
    }

    /// Waits until the server has ended, and says with which code; `None` where a signal ended it.
    #[track_caller]
    pub fn exit_code(&mut self) -> Option<i32> {
        let deadline = Instant::now() + DEADLINE;
        self.read_output();
        while !self.ended {
            match self.arrivals.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Arrival::Message(it)) => self.unread.push_back(it),
                Ok(Arrival::Fault(it)) => panic!("the server wrote {it}{}", self.state()),
                Ok(Arrival::End) | Err(RecvTimeoutError::Disconnected) => self.ended = true,
                Err(RecvTimeoutError::Timeout) => panic!("the server does not end{}", self.state()),
            }
        }
        // Its output has ended, so it is about to.
        loop {
            match self.child.try_wait().expect("it is our child") {
                Some(status) => {
                    if let Some(it) = self.errors.take() {
                        let _ = it.join();
                    }
                    return status.code();
                }
                None if Instant::now() > deadline => {
                    panic!("the server closed its output and does not end{}", self.state())
                }
                None => thread::yield_now(),
            }
        }
    }

    /// What it has written to standard error so far.
    #[must_use]
    pub fn stderr(&self) -> String {
        self.stderr.lock().expect("nobody panics under it").clone()
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    #[track_caller]
    fn arrive(&mut self, what: &str, deadline: Instant) -> Value {
        assert!(!self.ended, "the server has ended, waiting for {what}{}", self.state());
        match self.arrivals.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Arrival::Message(it)) => it,
            Ok(Arrival::Fault(it)) => panic!("the server wrote {it}{}", self.state()),
            Ok(Arrival::End) | Err(RecvTimeoutError::Disconnected) => {
                self.ended = true;
                panic!("the server ended, waiting for {what}{}", self.state())
            }
            Err(RecvTimeoutError::Timeout) => panic!("nothing came, waiting for {what}{}", self.state()),
        }
    }

    /// All that is known, for a failing test.
    fn state(&self) -> String {
        let mut text = format!("\nunread: {}", self.unread.len());
        for message in self.unread.iter().rev().take(10).rev() {
            text.push_str(&format!("\n  {}", shortened(&message.to_string())));
        }
        text.push_str(&format!("\nstderr:\n{}", shortened(&self.stderr())));
        text
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// At most a screen of `text`: its beginning and its end.
fn shortened(text: &str) -> String {
    const PART: usize = 1_000;
    let count = text.chars().count();
    if count <= 2 * PART {
        return text.to_owned();
    }
    let head: String = text.chars().take(PART).collect();
    let tail: String = text.chars().skip(count - PART).collect();
    format!("{head} [… {} characters …] {tail}", count - 2 * PART)
}

/// Writes until the sender is gone, then closes the input.
fn write_all(mut stdin: ChildStdin, to_write: &Receiver<ToWrite>, report: &Sender<Result<(), String>>) {
    let mut fault = None;
    for it in to_write {
        match it {
            ToWrite::Bytes(bytes) if fault.is_none() => {
                fault = stdin.write_all(&bytes).and_then(|()| stdin.flush()).err().map(|it| it.to_string());
            }
            ToWrite::Bytes(_) => {}
            ToWrite::Report => {
                let _ = report.send(fault.clone().map_or(Ok(()), Err));
            }
        }
    }
}

fn read_all(stdout: ChildStdout, found: &Sender<Arrival>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let arrival = match frame::read(&mut stdout) {
            Ok(Some(message)) => match kind(&message) {
                Ok(_) => Arrival::Message(message),
                Err(it) => {
                    Arrival::Fault(format!("a message that is no JSON-RPC ({it}): {}", shortened(&message.to_string())))
                }
            },
            Ok(None) => Arrival::End,
            Err(it) => Arrival::Fault(it.to_string()),
        };
        let last = !matches!(arrival, Arrival::Message(_));
        if found.send(arrival).is_err() || last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Output, Server};
    use crate::rpc::{notification, response};

    /// A server that gives back what it gets.
    fn echo(output: Output) -> Server {
        Server::start_with("cat", &[], output)
    }

    #[test]
    fn messages_go_in_and_come_out_and_the_rest_stays_unread() {
        let mut server = echo(Output::Read);
        for method in ["a", "b", "c"] {
            server.send(&notification(method, json!({})));
        }
        server.send(&response(&json!(7), json!("seven")));
        assert_eq!(server.answer(7)["result"], "seven");
        assert_eq!(server.wait_for_method("b")["method"], "b");
        assert_eq!(server.receive()["method"], "a");
        assert_eq!(server.unread(), [notification("c", json!({}))]);
    }

    #[test]
    fn the_end_of_the_input_ends_it() {
        let mut server = echo(Output::Read);
        server.send(&notification("a", json!({})));
        server.close_input();
        assert_eq!(server.exit_code(), Some(0));
        assert_eq!(server.receive()["method"], "a");
    }

    #[test]
    fn standard_error_and_the_exit_code_are_kept() {
        let mut server = Server::start_with("sh", &["-c", "echo no >&2; exec 1>&-; exit 3"], Output::Read);
        assert_eq!(server.exit_code(), Some(3));
        assert_eq!(server.stderr(), "no\n");
    }

    #[test]
    fn held_output_is_read_later() {
        let mut server = echo(Output::Held);
        server.send(&notification("a", json!({})));
        server.written();
        assert_eq!(server.try_receive(), None);
        server.read_output();
        assert_eq!(server.receive()["method"], "a");
    }
}
