//! Requests and notifications on their way through the service: each starts in the order of the wire, and each request is
//! answered exactly once.

use std::collections::HashMap;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use futures::FutureExt;
use tokio::task::coop::unconstrained;
use tokio_util::sync::CancellationToken;
use tower::Service;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_lsp::{LanguageServer, LspService};
use tracing::{Instrument, Span};

use crate::transport::CANCELLATION;
use crate::transport::message::read_id;
use crate::transport::outgoing::Outgoing;

/// Requests whose handlers decide themselves what a cancellation means. For all others the service answers at once and
/// drops the handler, which would be a lie where its edit is already on the way to the editor.
pub(crate) const DECIDE_THEMSELVES: [&str; 2] = ["workspace/agentEdit", "workspace/executeCommand"];

/// LSP's `RequestFailed`.
const REQUEST_FAILED: ErrorCode = ErrorCode::ServerError(-32803);

/// The service and what runs in it.
#[derive(Debug)]
pub(crate) struct Calls<S> {
    service: LspService<S>,
    outgoing: Outgoing,
    running: Running,
    limit: usize,
    shut_down: bool,
}

/// A handler panicked before its first `await`.
#[derive(Debug)]
pub(crate) struct Panicked;

impl<S: LanguageServer> Calls<S> {
    pub(crate) fn new(service: LspService<S>, outgoing: Outgoing, limit: usize) -> Self {
        Self { service, outgoing, running: Running::default(), limit, shut_down: false }
    }

    pub(crate) fn server(&self) -> &S {
        self.service.inner()
    }

    /// The client has asked us to shut down, and was not refused.
    pub(crate) fn shut_down(&self) -> bool {
        self.shut_down
    }

    /// Starts the handler of `call` and runs it up to its first `await`.
    pub(crate) fn start(&mut self, call: Request) -> Result<(), Panicked> {
        let id = call.id().cloned();
        let mut token = None;
        if let Some(id) = &id {
            token = DECIDE_THEMSELVES.contains(&call.method()).then(CancellationToken::new);
            if let Err(refusal) = self.admit(id, token.clone()) {
                self.outgoing.answer(refusal);
                return Ok(());
            }
        } else if DECIDE_THEMSELVES.contains(&call.method()) {
            tracing::warn!(method = call.method(), "a request without an id: nobody could be told what became of it");
            return Ok(());
        }
        let is_shutdown = id.is_some() && call.method() == "shutdown";
        let span = tracing::debug_span!("call", method = call.method(), id = id.as_ref().map(tracing::field::display));
        let mut handler = Box::pin(self.handler(call, token).instrument(span.clone()));
        let end =
            Ending { id, span, begun: Instant::now(), running: self.running.clone(), outgoing: self.outgoing.clone() };
        // Without the scheduler's budget, which may make an `await` wait that has nothing to wait for.
        match Pin::new(&mut unconstrained(&mut handler)).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => {
                self.shut_down |= is_shutdown && matches!(&outcome, Ok(Some(it)) if it.is_ok());
                let panicked = outcome.as_ref().err().map(|_| Panicked);
                end.with(outcome);
                panicked.map_or(Ok(()), Err)
            }
            Poll::Pending => {
                self.shut_down |= is_shutdown;
                tokio::spawn(async move { end.with(handler.await) });
                Ok(())
            }
        }
    }

    /// Handles `$/cancelRequest`.
    pub(crate) fn cancel(&mut self, call: Request) {
        let id = call.params().and_then(|it| read_id(&it["id"]));
        match id.and_then(|id| self.running.entries().get(&id).cloned().flatten()) {
            Some(token) => token.cancel(),
            None => drop(self.start(call)),
        }
    }

    /// Cancels whatever decides itself what that means.
    pub(crate) fn cancel_all(&self) {
        self.running.entries().values().flatten().for_each(CancellationToken::cancel);
    }

    /// Counts the request `id` among the running, or refuses it.
    fn admit(&self, id: &Id, token: Option<CancellationToken>) -> Result<(), Response> {
        let refuse = |id: Id, code, message: String| {
            Err(Response::from_error(id, Error { code, message: message.into(), data: None }))
        };
        let mut running = self.running.entries();
        if self.shut_down {
            let message = "Invalid request: the server is shutting down".to_owned();
            refuse(id.clone(), ErrorCode::InvalidRequest, message)
        } else if running.contains_key(id) {
            // With this id it would be taken for the answer to the request that still runs.
            refuse(Id::Null, ErrorCode::InvalidRequest, format!("Invalid request: {id} is the id of a running request"))
        } else if running.len() >= self.limit {
            refuse(id.clone(), REQUEST_FAILED, format!("{} requests are running, and more are not taken", self.limit))
        } else {
            running.insert(id.clone(), token);
            Ok(())
        }
    }

    fn handler(&mut self, call: Request, token: Option<CancellationToken>) -> impl Future<Output = Outcome> + use<S> {
        let handler = catch_unwind(AssertUnwindSafe(|| self.service.call(call)));
        async move {
            let handler = handler?;
            let handler = async move { AssertUnwindSafe(handler).catch_unwind().await };
            let outcome = match token {
                Some(token) => CANCELLATION.scope(token, handler).await,
                None => handler.await,
            };
            // The service's own error: it has exited, which it is never told to.
            outcome.map(|it| it.unwrap_or_default())
        }
    }
}

/// What a handler answered, or its panic.
type Outcome = Result<Option<Response>, Box<dyn std::any::Any + Send>>;

/// The requests that are running; those that decide themselves, with their cancellation.
#[derive(Clone, Debug, Default)]
struct Running(Arc<Mutex<HashMap<Id, Option<CancellationToken>>>>);

impl Running {
    fn entries(&self) -> MutexGuard<'_, HashMap<Id, Option<CancellationToken>>> {
        self.0.lock().expect("nothing under it panics")
    }
}

/// What is to be done when a handler has ended.
struct Ending {
    id: Option<Id>,
    span: Span,
    begun: Instant,
    running: Running,
    outgoing: Outgoing,
}

impl Ending {
    fn with(self, outcome: Outcome) {
        let Self { id: Some(id), span, begun, running, outgoing } = self else { return };
        running.entries().remove(&id);
        let answer = outcome.map_or_else(
            |_| {
                let mut error = Error::internal_error();
                error.message = "Internal error: the server failed in this request".into();
                Response::from_error(id.clone(), error)
            },
            // The service leaves an unknown request whose name begins with `$/` unanswered.
            |answer| answer.unwrap_or_else(|| Response::from_error(id.clone(), Error::method_not_found())),
        );
        let (ms, error) = (begun.elapsed().as_millis(), answer.error().map(|it| it.code.code()));
        tracing::debug!(parent: &span, ms, error, "answered");
        outgoing.answer(answer);
    }
}
