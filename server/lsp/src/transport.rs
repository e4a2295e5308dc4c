//! The way in and out: LSP over a pair of byte streams, in place of `tower_lsp::Server`.
//!
//! The reader waits for nothing but input. Calls reach the service in the order of the wire, and each handler runs up to
//! its first `await` before the next message is looked at; from there on all run side by side. What makes no sense is
//! answered and the rest goes on. Whatever a handler sent goes out before its answer.

mod calls;
mod document_notifications;
mod frame;
mod header;
mod message;
mod outgoing;
mod remains;
mod replies;
pub(crate) mod serve;
#[cfg(test)]
mod tests;

use tokio_util::sync::CancellationToken;

/// What a hostile or broken client may cost us.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of a header.
    pub header: usize,
    /// Bytes of a message.
    pub body: usize,
    /// A message longer than `body` is skipped up to this length, in bytes. Beyond it the length is taken for a lie that
    /// would swallow all that follows, and the process ends.
    pub skip: u64,
    /// Requests that run at the same time: far beyond what any editor has waiting.
    pub requests: usize,
    /// Bytes written that the client has not yet read: room for a large result and every answer behind it.
    pub unread: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { header: 16 << 10, body: 64 << 20, skip: 1 << 30, requests: 10_000, unread: 256 << 20 }
    }
}

/// A message that may have told of a change of a document and could not be taken in: from here on the server's text may
/// not be the editor's.
#[derive(Debug, PartialEq)]
pub(crate) struct Unreadable {
    /// `None` where not even that could be made out.
    pub method: Option<String>,
    /// The document it was about; `None`: it may have been any.
    pub uri: Option<String>,
    /// What is wrong with it.
    pub error: String,
}

tokio::task_local! {
    static CANCELLATION: CancellationToken;
}

/// Cancelled when the client cancels the request whose handler is running, if that is one that decides itself what this
/// means ([`calls::DECIDE_THEMSELVES`]); never in other handlers, nor in a task that a handler spawned.
pub(crate) fn cancellation() -> CancellationToken {
    CANCELLATION.try_with(CancellationToken::clone).unwrap_or_default()
}
