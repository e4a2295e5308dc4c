//! `workspace/agentEdit`: gate, lanes, fences, engine, editor.

use std::sync::Arc;
use std::time::Instant;

use agent_edit_engine as engine;
use agent_edit_engine::Text;
use agent_edit_engine::{Document, DocumentPlan};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types::ProgressToken;
use tracing::field::{Empty, display};
use tracing::{Instrument, Span};

use crate::applied::AppliedBatch;
use crate::apply::{self, Change};
use crate::batch::{Batch, Mode, Saving};
use crate::cancelled::{unless_cancelled, unless_cancelled_in_review};
use crate::diagnostics;
use crate::errors;
use crate::from_proto;
use crate::lanes::Turn;
use crate::operations::{self, FileChange};
use crate::planning::{Planned, Task};
use crate::positions::Encoding;
use crate::progress::{Progress, Stage};
use crate::protocol::{AgentEditResult, to_value};
use crate::refusal::{Refusal, Refused};
use crate::remedy::of_plan;
use crate::review::{self, Asked};
use crate::saving;
use crate::server::Server;
use crate::snapshot::{self, Seen, for_engine};
use crate::to_proto;
use crate::transport;
use crate::uri_key::UriKey;

/// The request.
pub(crate) async fn agent_edit(server: Arc<Server>, params: Value) -> jsonrpc::Result<Value> {
    run(&server, params, None).await.map(to_value).map_err(errors::error)
}

/// The same, for whoever carries a batch in another way. `token` is for a batch that names none for its progress.
pub(crate) async fn run(
    server: &Arc<Server>,
    params: Value,
    token: Option<ProgressToken>,
) -> Result<AgentEditResult, Refusal> {
    let batch = from_proto::batch(params, &server.profile().agreed, &server.settings())?;
    let (documents, edits) = (batch.documents.len(), batch.edit_count());
    let span = tracing::info_span!("batch", id = Empty, agent = batch.agent, documents, edits);
    let begun = Instant::now();
    async move {
        let cancellation = transport::cancellation();
        let token = batch.progress.clone().or(token);
        let progress = Progress::begin(server, token, label(&batch), cancellation.clone());
        let done = carry_out(server, batch, cancellation, &progress).await;
        progress.end().await;
        tracing::info!(ms = begun.elapsed().as_millis(), outcome = outcome(&done), "done");
        done
    }
    .instrument(span)
    .await
}

/// By the code that the agent sees.
fn outcome(done: &Result<AgentEditResult, Refusal>) -> String {
    match done {
        Ok(it) if it.applied => "applied".to_owned(),
        Ok(_) => "shown".to_owned(),
        Err(refusal) => errors::name(refusal.clone()),
    }
}

async fn carry_out(
    server: &Arc<Server>,
    mut batch: Batch,
    cancellation: CancellationToken,
    progress: &Progress,
) -> Result<AgentEditResult, Refusal> {
    let turn = server.lanes.take(batch.keys());
    let decided = unless_cancelled(&cancellation, async {
        turn.come().await;
        progress.at(Stage::Planning);
        let operations = operations::examine(server, &mut batch).await?;
        let seen = snapshot::of_batch(server, &batch).await?;
        decide(server, &batch, seen, operations).await
    })
    .await?;
    match decided {
        Decided::Planned(plan) => match batch.mode {
            Mode::Preview => Ok(plan.result),
            Mode::Apply => {
                progress.at(Stage::Applying);
                to_its_end(applied(server.clone(), turn, plan, batch)).await
            }
            Mode::Review => {
                progress.at(Stage::Asking);
                reviewed(server, turn, plan, batch, cancellation, progress).await
            }
        },
        Decided::Refused(refused, texts) => {
            if batch.mode != Mode::Preview {
                let limit = server.settings().limits.pending_batches;
                let touched = server.pending.add(&refused.batch_id, &batch, &refused.failures, limit);
                server.pending.counted_in(&refused.batch_id, texts);
                drop(turn);
                diagnostics::publish(server, &touched).await;
            }
            Err(Refusal::Conflict(Box::new(refused)))
        }
    }
}

/// What the engine says of a batch, ready to be told.
enum Decided {
    Planned(Plan),
    /// With the texts it was refused for.
    Refused(Refused, Vec<(UriKey, Text)>),
}

struct Plan {
    result: AgentEditResult,
    changes: Vec<Change>,
    operations: Vec<FileChange>,
}

async fn decide(
    server: &Server,
    batch: &Batch,
    seen: Vec<Seen>,
    operations: Vec<FileChange>,
) -> Result<Decided, Refusal> {
    let edits = batch.documents.iter().map(|it| it.edits.clone()).collect();
    let beside = snapshot::beside(server, &seen);
    let task = Task { seen, edits, beside, options: batch.options };
    let (id, encoding, batch) = (server.next_batch_id(), server.profile().encoding, batch.clone());
    Span::current().record("id", display(&id));
    task.run(move |task, planned| decided(id, &batch, operations, task, planned, encoding)).await
}

fn decided(
    batch_id: String,
    batch: &Batch,
    operations: Vec<FileChange>,
    task: &Task,
    planned: Planned,
    encoding: Encoding,
) -> Decided {
    let documents = for_engine(&task.seen, &task.edits);
    match planned {
        Ok(plans) => {
            let result = AgentEditResult {
                batch_id,
                applied: batch.mode != Mode::Preview,
                status: status(batch, &operations, &documents, &plans),
                documents: to_proto::results(batch, &operations, &task.seen, &plans, encoding),
            };
            let changes = task.seen.iter().zip(plans).map(|(seen, plan)| of_plan(seen, plan)).collect();
            Decided::Planned(Plan { result, changes, operations })
        }
        Err(conflicts) => {
            let beside = task.beside.iter().map(|it| it.uri.as_str());
            let uris: Vec<_> = batch.documents.iter().map(|it| it.uri.as_str()).chain(beside).collect();
            let failure = |it: &engine::Conflict| {
                let number = batch.documents[it.document].number;
                to_proto::failure(&uris, number, &task.seen[it.document].text, it, encoding)
            };
            let texts = task.seen.iter().map(|it| (it.key.clone(), it.text.clone())).collect();
            let refused = Refused {
                batch_id,
                edit_count: batch.edit_count(),
                report: operations::reported(&engine::report(&documents, &conflicts), &batch.file_operations()),
                failures: conflicts.iter().map(failure).collect(),
                operations: batch.file_operations().iter().map(|it| it.number).collect(),
            };
            Decided::Refused(refused, texts)
        }
    }
}

/// What is done, in a sentence: to texts as the engine counts it, and to files.
fn status(batch: &Batch, operations: &[FileChange], documents: &[Document<'_>], plans: &[DocumentPlan]) -> String {
    let edited = batch.documents.iter().zip(documents).zip(plans).filter(|it| !batch.is_overwritten(it.0.0));
    let (documents, plans): (Vec<_>, Vec<_>) = edited.map(|((_, document), plan)| (*document, plan.clone())).unzip();
    let texts = (!documents.is_empty()).then(|| engine::status(&documents, &plans, done(batch.mode)));
    let overwritten = batch.documents.len() - documents.len();
    let files = Some(operations::counted(operations, overwritten, batch.mode)).filter(|it| !it.is_empty());
    texts.into_iter().chain(files).collect::<Vec<_>>().join("; ")
}

fn done(mode: Mode) -> engine::Done {
    match mode {
        Mode::Apply | Mode::Review => engine::Done::Applied,
        Mode::Preview => engine::Done::Previewed,
    }
}

/// Runs `work` out of the handler's hands: whatever becomes of the request, this is watched to its end.
async fn to_its_end(
    work: impl Future<Output = Result<AgentEditResult, Refusal>> + Send + 'static,
) -> Result<AgentEditResult, Refusal> {
    let task = tokio::spawn(work.in_current_span());
    task.await.unwrap_or_else(|_| Err(Refusal::Internal("a fault while applying".to_owned())))
}

async fn applied(server: Arc<Server>, turn: Turn, plan: Plan, batch: Batch) -> Result<AgentEditResult, Refusal> {
    apply::apply_all(&server, plan.changes.clone(), plan.operations.clone(), Some(label(&batch))).await?;
    Ok(finished(&server, turn, &batch, plan).await)
}

/// Applies it if the person agrees, whether the editor asks or we do. Until then it keeps its place in the lanes.
async fn reviewed(
    server: &Arc<Server>,
    turn: Turn,
    plan: Plan,
    batch: Batch,
    cancellation: CancellationToken,
    progress: &Progress,
) -> Result<AgentEditResult, Refusal> {
    if server.profile().asks_before_applying {
        let answered = CancellationToken::new();
        let confirmed = to_its_end(confirmed(server.clone(), turn, plan, batch, answered.clone()));
        return tokio::select! {
            biased;
            done = unless_cancelled_in_review(&cancellation, &answered, confirmed) => done,
            never = progress.at_once_done(&answered, Stage::Applying) => match never {},
        };
    }
    let changes: Vec<_> = plan.changes.iter().filter(|it| !it.edits.is_empty()).cloned().collect();
    let is_asked = server.profile().applies_edits && !(changes.is_empty() && plan.operations.is_empty());
    if is_asked {
        let (batch_id, operations) = (plan.result.batch_id.clone(), plan.operations.clone());
        let asked = Asked { batch_id, batch: batch.clone(), changes, operations };
        unless_cancelled(&cancellation, review::agreed(server, asked)).await?;
    }
    progress.at(Stage::Applying);
    let applied = to_its_end(applied(server.clone(), turn, plan, batch)).await;
    if is_asked && let Err(refusal) = &applied {
        review::tell(server, refusal.clone()).await;
    }
    applied
}

/// Applies it through an editor that asks the person. After a cancellation, too: the editor goes on asking.
async fn confirmed(
    server: Arc<Server>,
    turn: Turn,
    plan: Plan,
    batch: Batch,
    answered: CancellationToken,
) -> Result<AgentEditResult, Refusal> {
    let review = apply::Review { label: label(&batch), agent: batch.agent.clone(), answered };
    apply::apply_if_confirmed(&server, plan.changes.clone(), plan.operations.clone(), review).await?;
    Ok(finished(&server, turn, &batch, plan).await)
}

fn label(batch: &Batch) -> String {
    batch.label.clone().unwrap_or_else(|| "Agent edit".to_owned())
}

/// What is left to do for a batch that has been applied.
async fn finished(server: &Arc<Server>, turn: Turn, batch: &Batch, plan: Plan) -> AgentEditResult {
    let Plan { mut result, changes, operations } = plan;
    if batch.saving == Saving::Asked {
        saving::save(server, &changes, &operations, &mut result.documents).await;
    }
    let (id, agent, label) = (result.batch_id.clone(), batch.agent.clone(), batch.label.clone());
    server.applied.add(AppliedBatch { id, agent, label, changes: changes.into_iter().map(Arc::new).collect() });
    let touched = server.pending.replace(&batch.agent, &batch.keys());
    // Only now: what the agent's next batch leaves pending must stay.
    drop(turn);
    diagnostics::publish(server, &touched).await;
    result
}
