//! The wire to a server in a process of its own: frames over its stdin and stdout, every wait with a deadline.

use std::fmt;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The server as a partner is at fault: nothing more can be done with it.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Its process could not be started.
    NotStarted(io::Error),
    /// It ended while the editor waited for this.
    Died { waiting_for: String, status: String },
    /// It said nothing of what the editor waited for.
    Silent { waiting_for: String, seconds: u64 },
    /// What it said is not the protocol.
    Garbled(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(error) => write!(to, "the server could not be started: {error}"),
            Self::Died { waiting_for, status } => {
                write!(to, "the server ended ({status}) before {waiting_for}")
            }
            Self::Silent { waiting_for, seconds } => {
                write!(to, "the server did not get to {waiting_for} within {seconds} s")
            }
            Self::Garbled(what) => write!(to, "the server broke the protocol: {what}"),
        }
    }
}

/// A running server, ended when dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    server: Child,
    outgoing: Sender<Value>,
    incoming: Receiver<io::Result<Value>>,
}

impl Connection {
    pub(crate) fn start(command: &mut Command) -> Result<Self, Fault> {
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(Fault::NotStarted)?;
        let stdin = server.stdin.take().expect("it is piped");
        let stdout = server.stdout.take().expect("it is piped");
        let (outgoing, to_write) = channel();
        let (arrived, incoming) = channel();
        thread::spawn(move || write_all(stdin, &to_write));
        thread::spawn(move || read_all(stdout, &arrived));
        Ok(Self { server, outgoing, incoming })
    }

    /// Never waits. That the server is gone is told by the next [`Self::receive`].
    pub(crate) fn send(&self, message: Value) {
        let _ = self.outgoing.send(message);
    }

    /// The next message, in at most `patience` from `since`.
    pub(crate) fn receive(&mut self, waiting_for: &str, since: Instant, patience: Duration) -> Result<Value, Fault> {
        match self.incoming.recv_timeout(patience.saturating_sub(since.elapsed())) {
            Ok(Ok(message)) => Ok(message),
            Ok(Err(error)) => Err(Fault::Garbled(error.to_string())),
            Err(RecvTimeoutError::Timeout) => {
                Err(Fault::Silent { waiting_for: waiting_for.to_owned(), seconds: patience.as_secs() })
            }
            Err(RecvTimeoutError::Disconnected) => {
                Err(Fault::Died { waiting_for: waiting_for.to_owned(), status: self.status() })
            }
        }
    }

    /// How the process that closed its output ended.
    fn status(&mut self) -> String {
        // It may have closed its output and live on.
        let _ = self.server.kill();
        self.server.wait().map_or_else(|error| error.to_string(), |status| status.to_string())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Both fail only for a process that has ended and been waited for.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn write_all(mut stdin: ChildStdin, messages: &Receiver<Value>) {
    for message in messages {
        let body = message.to_string();
        let frame = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        if stdin.write_all(frame.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_all(stdout: ChildStdout, arrived: &Sender<io::Result<Value>>) {
    let mut input = BufReader::new(stdout);
    while let Some(message) = read(&mut input).transpose() {
        let last = message.is_err();
        if arrived.send(message).is_err() || last {
            return;
        }
    }
}

/// The next message; `None` at the end of the input.
fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim_end() {
            "" => break,
            header => {
                if let Some((name, value)) = header.split_once(':')
                    && name.eq_ignore_ascii_case("content-length")
                {
                    length = value.trim().parse::<u64>().ok();
                }
            }
        }
    }
    let length = length.ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "a message without its length"))?;
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body)?;
    if (body.len() as u64) < length {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&body)?))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::process::Command;
    use std::time::{Duration, Instant};

    use serde_json::json;

    use super::{Connection, Fault};

    #[track_caller]
    fn check(script: &str, patience: Duration, told: &str) {
        let mut connection = Connection::start(Command::new("sh").args(["-c", script])).unwrap();
        let fault = loop {
            if let Err(fault) = connection.receive("an answer", Instant::now(), patience) {
                break fault;
            }
        };
        assert!(fault.to_string().contains(told), "{fault}");
    }

    #[test]
    fn a_partner_that_fails_is_one_clear_error() {
        let long = Duration::from_secs(20);
        check("exit 3", long, "ended (exit status: 3) before an answer");
        check("printf 'Content-Length: 9\\r\\n\\r\\n{'", long, "ended (");
        check("printf 'Content-Length: 1\\r\\n\\r\\n{'; cat", long, "broke the protocol");
        check("printf 'hello\\r\\n\\r\\n'; cat", long, "a message without its length");
        check("cat >/dev/null", Duration::ZERO, "did not get to an answer within 0 s");
        let missing = Connection::start(&mut Command::new("/no/such/program"));
        assert!(matches!(missing, Err(Fault::NotStarted(_))));
    }

    #[test]
    fn what_is_sent_arrives() {
        let mut connection = Connection::start(&mut Command::new("cat")).unwrap();
        let message = json!({"é": "🚀\r\n\r\n"});
        connection.send(message.clone());
        let echo = connection.receive("the echo", Instant::now(), Duration::from_secs(20)).unwrap();
        assert_eq!(echo, message);
    }
}
