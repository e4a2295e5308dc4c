//! The loop: frames in, calls and replies out to where they belong, and an exit code at the end.

use std::io::{ErrorKind, Write};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_lsp::{ClientSocket, LanguageServer, LspService};

use crate::transport::calls::Calls;
use crate::transport::frame::{Frame, FrameReader};
use crate::transport::message::{self, Message, Refused};
use crate::transport::outgoing::Outgoing;
use crate::transport::remains::Remains;
use crate::transport::replies::Replies;
use crate::transport::{Limits, Unreadable, document_notifications};

/// The client has said its last word.
enum End {
    /// It told us to exit.
    Exit,
    /// Its input is over.
    Input,
    /// It cannot be served any more, and why.
    Failure(String),
}

impl End {
    /// How long the answers may take that are still on the way. Nobody waits for the client any more by then.
    fn patience(&self) -> Duration {
        match self {
            // Some editors kill a server two seconds after they told it to exit.
            Self::Exit | Self::Failure(_) => Duration::from_secs(1),
            // It may be a script that has asked all it wanted and is reading.
            Self::Input => Duration::from_secs(10),
        }
    }
}

/// Serves one client until it says `exit`, its input ends, or it no longer reads. Returns the exit code, with which the
/// caller has to end the process at once: a read of standard input that waits cannot be given up.
///
/// `arriving` may put what is newer than the types of the service where they keep it. `unreadable` is called in the order of
/// the wire.
pub(crate) async fn serve<S: LanguageServer>(
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Send + Unpin + 'static,
    service: LspService<S>,
    socket: ClientSocket,
    limits: Limits,
    arriving: fn(Request) -> Request,
    unreadable: impl Fn(&S, Unreadable),
) -> i32 {
    let (requests, replies) = socket.split();
    let replies = Replies::new(replies);
    let (outgoing, mut writer) = Outgoing::start(output, requests, replies.clone(), limits.unread);
    let calls = Calls::new(service, outgoing.clone(), limits.requests);
    let mut reader =
        Reader { frames: FrameReader::new(input, limits), limits, calls, replies, outgoing, arriving, unreadable };

    let end = tokio::select! {
        end = reader.run() => end,
        failed = &mut writer => End::Failure(match failed {
            Ok(Ok(())) => "the output has ended".to_owned(),
            Ok(Err(why)) => why,
            Err(panic) => panic.to_string(),
        }),
    };
    let code = match &end {
        End::Exit | End::Input if reader.calls.shut_down() => 0,
        End::Exit | End::Input => 1,
        End::Failure(why) => {
            // Where nobody hears it, the code has to do.
            let _ = writeln!(std::io::stderr(), "agent-edit: {why}");
            1
        }
    };
    reader.replies.close();
    reader.calls.cancel_all();
    drop(reader);
    if !writer.is_finished() && timeout(end.patience(), &mut writer).await.is_err() {
        writer.abort();
    }
    code
}

struct Reader<S, I, U> {
    frames: FrameReader<I>,
    limits: Limits,
    calls: Calls<S>,
    replies: Replies,
    outgoing: Outgoing,
    arriving: fn(Request) -> Request,
    unreadable: U,
}

impl<S: LanguageServer, I: AsyncRead + Unpin, U: Fn(&S, Unreadable)> Reader<S, I, U> {
    /// Reads to the end.
    async fn run(&mut self) -> End {
        loop {
            match self.frames.next().await {
                Ok(Frame::Body(body)) => match message::read(&body) {
                    Ok(Message::Call(call)) => {
                        // Two copies of a long text are enough.
                        drop(body);
                        if call.method() == "exit" {
                            return End::Exit;
                        }
                        self.call(call);
                    }
                    Ok(Message::Reply(reply)) => self.replies.arrived(reply),
                    Err(refused) => {
                        if refused.code == ErrorCode::ParseError {
                            self.frames.reject(body, refused.rest);
                        }
                        self.refuse(*refused);
                    }
                },
                Ok(Frame::TooLong { length, start }) => {
                    let reason = format!("a message of {length} bytes, where the limit is {}", self.limits.body);
                    let remains = Remains::of(&start);
                    self.refuse(Refused { code: ErrorCode::InvalidRequest, reason, remains, rest: None });
                }
                Ok(Frame::Malformed(reason)) => self.refuse(malformed(reason)),
                Ok(Frame::Hopeless { length }) => {
                    let reason = format!("a message of {length} bytes cannot be skipped");
                    self.refuse(malformed(reason.clone()));
                    return End::Failure(reason);
                }
                Err(end) if end.kind() == ErrorKind::UnexpectedEof => return End::Input,
                Err(end) => return End::Failure(format!("the client cannot be read: {end}")),
            }
        }
    }

    fn call(&mut self, call: Request) {
        if call.method() == "$/cancelRequest" {
            return self.calls.cancel(call);
        }
        let document = document_notifications::is_one(call.method())
            .then(|| (call.method().to_owned(), document_notifications::uri(&call)));
        let fault = document_notifications::fault(&call);
        let panicked = self.calls.start((self.arriving)(call)).is_err().then(|| "the server failed in it".to_owned());
        if let (Some((method, uri)), Some(error)) = (document, fault.or(panicked)) {
            (self.unreadable)(self.calls.server(), Unreadable { method: Some(method), uri, error });
        }
    }

    /// Answers what is no message, and says so to those whom it may concern.
    fn refuse(&self, refused: Refused) {
        let Refused { code, mut reason, remains, .. } = refused;
        shorten(&mut reason);
        tracing::warn!(code = code.code(), method = remains.method, "an unreadable message");
        // It may quote what was sent.
        tracing::trace!(%reason);
        let message = format!("{}: {reason}", code.description());
        let failure = |id| Response::from_error(id, Error { code, message: message.clone().into(), data: None });
        match &remains {
            Remains { method: None, is_reply: true, id, .. } => {
                id.iter().cloned().for_each(|id| self.replies.arrived(failure(id)));
                self.outgoing.answer(failure(Id::Null));
            }
            Remains { id, .. } => self.outgoing.answer(failure(id.clone().unwrap_or(Id::Null))),
        }
        if may_tell_of_a_document(&remains) {
            (self.unreadable)(
                self.calls.server(),
                Unreadable { method: remains.method, uri: remains.uri, error: reason },
            );
        }
    }
}

/// Something of which nothing can be told.
fn malformed(reason: String) -> Refused {
    Refused { code: ErrorCode::ParseError, reason, remains: Remains::default(), rest: None }
}

/// Whether it was, as far as can be told, one of the notifications that keep our text equal to the editor's.
fn may_tell_of_a_document(remains: &Remains) -> bool {
    match &remains.method {
        Some(method) => document_notifications::is_one(method),
        None => remains.id.is_none() && !remains.is_reply,
    }
}

/// A reason may quote what the client sent, however long.
fn shorten(reason: &mut String) {
    if let Some((end, _)) = reason.char_indices().nth(200) {
        reason.truncate(end);
        reason.push('…');
    }
}
