//! A batch that takes long is shown as work that is done, and can be cancelled from there. One that is quick is not.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tower_lsp::ls_types::notification::Progress as ProgressNotification;
use tower_lsp::ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};

use crate::server::Server;

/// What a batch is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Batches before it are on its documents.
    Waiting,
    /// Its places are looked for.
    Planning,
    /// A person is asked.
    Asking,
    /// The editor has been asked to apply it, which cannot be cancelled.
    Applying,
}

impl Stage {
    fn message(self) -> &'static str {
        match self {
            Self::Waiting => "waiting for an earlier batch",
            Self::Planning => "looking for its places",
            Self::Asking => "waiting for a decision",
            Self::Applying => "waiting for the editor",
        }
    }

    fn is_cancellable(self) -> bool {
        self != Self::Applying
    }
}

/// The progress that is shown, with what each cancels.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    cancellations: Mutex<HashMap<ProgressToken, CancellationToken>>,
    count: AtomicU64,
}

impl Shown {
    /// Handles `window/workDoneProgress/cancel`.
    pub(crate) fn cancel(&self, token: &ProgressToken) {
        if let Some(cancellation) = self.cancellations().get(token) {
            cancellation.cancel();
        }
    }

    fn next_token(&self) -> ProgressToken {
        ProgressToken::String(format!("agent-edit/{}", self.count.fetch_add(1, Ordering::Relaxed)))
    }

    fn cancellations(&self) -> MutexGuard<'_, HashMap<ProgressToken, CancellationToken>> {
        self.cancellations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The progress of one batch. Dropping it ends what has begun.
#[derive(Debug)]
pub(crate) struct Progress {
    stage: watch::Sender<Stage>,
    task: Option<JoinHandle<()>>,
    /// Whether it is shown: decided once, by who comes first of the clock and the end.
    is_shown: Arc<OnceLock<bool>>,
}

impl Progress {
    /// Shown on `token`, or on one of our own where the client takes such, from the moment the batch has taken too long.
    pub(crate) fn begin(
        server: &Arc<Server>,
        token: Option<ProgressToken>,
        title: String,
        cancellation: CancellationToken,
    ) -> Self {
        let (stage, stages) = watch::channel(Stage::Waiting);
        let is_shown = Arc::new(OnceLock::new());
        let is_wanted = token.is_some() || server.profile().creates_progress;
        let work = Work { server: server.clone(), title, cancellation, stages, is_shown: is_shown.clone() };
        let task = is_wanted.then(|| tokio::spawn(work.show_if_long(token)));
        Self { stage, task, is_shown }
    }

    /// The batch has come so far.
    pub(crate) fn at(&self, stage: Stage) {
        self.stage.send_replace(stage);
    }

    /// The same as soon as `done` is cancelled, for as long as this is waited for.
    pub(crate) async fn at_once_done(&self, done: &CancellationToken, stage: Stage) -> Infallible {
        done.cancelled().await;
        self.at(stage);
        std::future::pending().await
    }

    /// The batch is done; returns when the client has been sent the end of what it was shown.
    pub(crate) async fn end(self) {
        let Self { stage, task, is_shown } = self;
        drop(stage);
        if is_shown.set(false).is_err()
            && let Some(task) = task
        {
            // Its panic, which cannot be, would be no reason to fail the batch.
            let _ = task.await;
        }
    }
}

/// What is shown, on the side that shows it.
struct Work {
    server: Arc<Server>,
    title: String,
    cancellation: CancellationToken,
    stages: watch::Receiver<Stage>,
    is_shown: Arc<OnceLock<bool>>,
}

impl Work {
    async fn show_if_long(mut self, token: Option<ProgressToken>) {
        tokio::select! {
            () = is_over(self.stages.clone()) => return,
            () = sleep(self.server.profile().timeouts.progress) => {}
        }
        let token = match token {
            Some(token) => Some(token),
            None => self.created().await,
        };
        if let Some(token) = token
            && self.is_shown.set(true).is_ok()
        {
            self.show(token).await;
        }
    }

    /// A token that the client has agreed to, if it does so before the batch is done.
    async fn created(&self) -> Option<ProgressToken> {
        let token = self.server.progress.next_token();
        tokio::select! {
            () = is_over(self.stages.clone()) => None,
            created = self.server.client.create_work_done_progress(token.clone()) => created.ok().map(|()| token),
        }
    }

    async fn show(&mut self, token: ProgressToken) {
        self.server.progress.cancellations().insert(token.clone(), self.cancellation.clone());
        let stage = *self.stages.borrow_and_update();
        let begin = WorkDoneProgressBegin {
            title: std::mem::take(&mut self.title),
            cancellable: Some(stage.is_cancellable()),
            message: Some(stage.message().to_owned()),
            percentage: None,
        };
        self.send(&token, WorkDoneProgress::Begin(begin)).await;
        while self.stages.changed().await.is_ok() {
            let stage = *self.stages.borrow_and_update();
            self.report(&token, stage).await;
        }
        self.server.progress.cancellations().remove(&token);
        self.send(&token, WorkDoneProgress::End(WorkDoneProgressEnd::default())).await;
    }

    async fn report(&self, token: &ProgressToken, stage: Stage) {
        let (cancellable, message) = (Some(stage.is_cancellable()), Some(stage.message().to_owned()));
        let report = WorkDoneProgressReport { cancellable, message, percentage: None };
        self.send(token, WorkDoneProgress::Report(report)).await;
    }

    async fn send(&self, token: &ProgressToken, value: WorkDoneProgress) {
        let params = ProgressParams { token: token.clone(), value: ProgressParamsValue::WorkDone(value) };
        self.server.client.send_notification::<ProgressNotification>(params).await;
    }
}

async fn is_over(mut stages: watch::Receiver<Stage>) {
    while stages.changed().await.is_ok() {}
}
