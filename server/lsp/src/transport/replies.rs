//! What the client was asked and has not yet answered, so that nobody waits for a reply that can no longer come.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard};

use futures::{FutureExt, SinkExt};
use tower_lsp::jsonrpc::{Error, Id, Response};
use tower_lsp::{ClientSocket, Loopback};

/// Shared by the reader, which hears the replies, and the writer, which asks.
#[derive(Clone, Debug)]
pub(crate) struct Replies(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    waiting: HashSet<Id>,
    closed: bool,
    /// Takes a reply to whoever waits for it.
    sink: <ClientSocket as Loopback>::ResponseSink,
}

impl Replies {
    pub(crate) fn new(sink: <ClientSocket as Loopback>::ResponseSink) -> Self {
        Self(Arc::new(Mutex::new(State { waiting: HashSet::new(), closed: false, sink })))
    }

    /// Takes down that the client is about to be asked `id`. False: nobody will answer, and whoever asks knows it now.
    #[must_use]
    pub(crate) fn expect(&self, id: &Id) -> bool {
        let mut state = self.state();
        if state.closed {
            state.fail(id.clone());
            return false;
        }
        state.waiting.insert(id.clone());
        true
    }

    /// Hands `reply` to the one who waits for it.
    pub(crate) fn arrived(&self, reply: Response) {
        let mut state = self.state();
        if state.waiting.remove(reply.id()) {
            state.deliver(reply);
        } else {
            let code = reply.error().map(|it| it.code.code());
            tracing::warn!(id = %reply.id(), code, "a reply to nothing that was asked");
        }
    }

    /// The client will answer nothing more: all who wait learn it, and all who come.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        for id in std::mem::take(&mut state.waiting) {
            state.fail(id);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("nothing under it panics")
    }
}

impl State {
    fn fail(&mut self, id: Id) {
        let mut error = Error::internal_error();
        error.message = "the client has gone".into();
        self.deliver(Response::from_error(id, error));
    }

    fn deliver(&mut self, reply: Response) {
        // It takes one at any time; what it refuses after an exit nobody waits for.
        let _ = self.sink.feed(reply).now_or_never();
    }
}
