//! The commands that apply or drop what is pending. Those that apply end in a versioned, settled `applyEdit` like any
//! batch, through the same lanes.

use std::sync::Arc;

use agent_edit_engine::Line;
use serde_json::Value;

use crate::applied::AppliedBatch;
use crate::apply::{self, Change};
use crate::cancelled::unless_cancelled;
use crate::diagnostics;
use crate::from_proto;
use crate::lanes::Turn;
use crate::parsing::parsed;
use crate::pending::PendingBatch;
use crate::planning::Task;
use crate::protocol::{CommandResult, PendingArguments, PendingBatchResult, ShownResult, to_value};
use crate::refusal::Refusal;
use crate::remedy::{self, Remedy, of_plan};
use crate::server::Server;
use crate::showing;
use crate::snapshot::{self, Seen};
use crate::standing::{self, Standing, Verdict};
use crate::to_proto;
use crate::transport;
use crate::uri_key::UriKey;

pub(crate) const APPLY_HERE: &str = "agentEdit.applyHere";
pub(crate) const APPLY_ALL: &str = "agentEdit.applyAll";
pub(crate) const APPLY_MATCHING: &str = "agentEdit.applyMatching";
pub(crate) const SHOW_EDIT: &str = "agentEdit.showEdit";
pub(crate) const DISCARD: &str = "agentEdit.discard";
pub(crate) const DISCARD_ALL: &str = "agentEdit.discardAll";

/// `agentEdit.applyHere`.
pub(crate) async fn apply_here(server: &Arc<Server>, argument: Value) -> Result<Value, Refusal> {
    let arguments: PendingArguments = parsed(argument)?;
    let remedy = match (arguments.matching, arguments.line) {
        (Some(matching), _) => Remedy::With(from_proto::matching(matching)),
        (None, line) => Remedy::Here(line.map(|it| Line(from_proto::index(it)))),
    };
    apply_one(server, &arguments, remedy).await
}

/// `agentEdit.applyAll`.
pub(crate) async fn apply_all(server: &Arc<Server>, argument: Value) -> Result<Value, Refusal> {
    apply_one(server, &parsed(argument)?, Remedy::Everywhere).await
}

async fn apply_one(server: &Arc<Server>, arguments: &PendingArguments, remedy: Remedy) -> Result<Value, Refusal> {
    let (key, number) = one_edit(arguments)?;
    let turn = server.lanes.take(vec![key.clone()]);
    let (batch, seen, change) = unless_cancelled(&transport::cancellation(), async {
        turn.come().await;
        let batch = pending_batch(server, &arguments.batch_id)?;
        let seen = seen_in(server, &batch, &key).await?;
        if arguments.version.is_some_and(|it| Some(it) != seen.version()) {
            let reason = format!("{} changed since this was offered", seen.name);
            return Err(Refusal::ContentModified { reason, diverged: None });
        }
        let standing = standing_of(server, &batch, &seen, number).await?;
        let change = remedy::change(&standing, remedy, &seen, server.profile().encoding).await?;
        Ok((batch, seen, change))
    })
    .await?;
    let status = format!("edit {} applied in {}", number + 1, seen.name);
    finish(server, turn, batch, vec![change], vec![(key, vec![number])], status).await
}

/// `agentEdit.showEdit`: the region and what the edit would make of it.
pub(crate) async fn show_edit(server: &Arc<Server>, argument: Value) -> Result<Value, Refusal> {
    let arguments: PendingArguments = parsed(argument)?;
    let (key, number) = one_edit(&arguments)?;
    let batch = pending_batch(server, &arguments.batch_id)?;
    let seen = seen_in(server, &batch, &key).await?;
    let standing = standing_of(server, &batch, &seen, number).await?;
    let shown = remedy::shown(&standing, arguments.line.map(|it| Line(from_proto::index(it))), &seen, server).await?;
    showing::show(server, &shown, &format!("edit-{}-of-{}", number + 1, batch.id)).await;
    Ok(to_value(ShownResult { title: shown.sides.title, diff: shown.diff }))
}

/// `agentEdit.applyMatching`.
pub(crate) async fn apply_matching(server: &Arc<Server>, argument: Value) -> Result<Value, Refusal> {
    let arguments: PendingArguments = parsed(argument)?;
    let batch = pending_batch(server, &arguments.batch_id)?;
    let turn = server.lanes.take(batch.keys());
    let (batch, matching) = unless_cancelled(&transport::cancellation(), async {
        turn.come().await;
        let batch = pending_batch(server, &arguments.batch_id)?;
        let matching = matching(server, &batch).await?;
        Ok((batch, matching))
    })
    .await?;
    let count = matching.edit_count();
    if count == 0 {
        return Err(Refusal::NotApplied { reason: "none of its edits matches now".to_owned(), uri: None });
    }
    let mut status = format!("{count} {} applied, the others kept", if count == 1 { "edit" } else { "edits" });
    if !batch.dropped.is_empty() {
        status = format!("{status}. {}", batch.dropped);
    }
    finish(server, turn, batch, matching.changes, matching.numbers, status).await
}

/// `agentEdit.discard`.
pub(crate) async fn discard(server: &Arc<Server>, argument: Value) -> Result<Value, Refusal> {
    let arguments: PendingArguments = parsed(argument)?;
    let (key, number) = one_edit(&arguments)?;
    let batch = pending_batch(server, &arguments.batch_id)?;
    if batch.document(&key).and_then(|it| it.edit(number)).is_none() {
        return Err(not_pending(&batch.id, number));
    }
    server.pending.remove(&batch.id, &key, &[number]);
    // All of its documents: the last conflict takes with it what matched elsewhere.
    diagnostics::publish(server, &batch.keys()).await;
    Ok(result(server, &batch.id, false, format!("edit {} discarded", number + 1)))
}

/// `agentEdit.discardAll`.
pub(crate) async fn discard_all(server: &Arc<Server>, argument: Value) -> Result<Value, Refusal> {
    let arguments: PendingArguments = parsed(argument)?;
    let batch = pending_batch(server, &arguments.batch_id)?;
    let touched = server.pending.remove_batch(&batch.id);
    diagnostics::publish(server, &touched).await;
    Ok(result(server, &batch.id, false, "all edits discarded".to_owned()))
}

/// `agentEdit.conflicts`: what is pending, with what is wrong with it now.
pub(crate) async fn conflicts(server: &Arc<Server>) -> Result<Value, Refusal> {
    let mut batches = vec![];
    for batch in server.pending.all() {
        let mut failures = vec![];
        for document in &batch.documents {
            // What cannot be read now has no conflicts that could be told.
            let Ok(seen) = seen_in(server, &batch, &document.key).await else { continue };
            for standing in standing::of_batch(server, batch.clone(), &seen).await? {
                if let Verdict::Conflict(conflict) = &standing.verdict {
                    let encoding = server.profile().encoding;
                    let uri = document.uri.as_str();
                    failures.push(to_proto::failure(&[uri], document.number, &seen.text, conflict, encoding));
                }
            }
        }
        batches.push(PendingBatchResult {
            batch_id: batch.id.clone(),
            agent: batch.agent.clone(),
            label: batch.label.clone(),
            edit_count: batch.edit_count(),
            failures,
        });
    }
    Ok(to_value(batches))
}

/// How many edits of a batch match now.
pub(crate) async fn matching_edits(server: &Server, batch: &PendingBatch) -> Result<usize, Refusal> {
    Ok(matching(server, batch).await?.edit_count())
}

/// What of a batch matches now.
struct WhatMatches {
    changes: Vec<Change>,
    numbers: Vec<(UriKey, Vec<usize>)>,
}

impl WhatMatches {
    fn edit_count(&self) -> usize {
        self.numbers.iter().map(|it| it.1.len()).sum()
    }
}

async fn matching(server: &Server, batch: &PendingBatch) -> Result<WhatMatches, Refusal> {
    let mut matching = WhatMatches { changes: vec![], numbers: vec![] };
    for document in &batch.documents {
        let mut rest = document.clone();
        let Ok(seen) = seen_in(server, batch, &document.key).await else { continue };
        let failing = standing::conflicts(server, batch, document, &seen).await?;
        let fails = |number: usize| failing.iter().any(|conflict| conflict.edit == number);
        rest.edits.retain(|it| !fails(it.number) && document.counts_lines_of(&it.edit, &seen.text));
        // Leaving out what fails may make others fail that depended on it, or was it that kept them: until none does.
        while !rest.edits.is_empty() {
            let edits = vec![rest.engine_edits()];
            let task = Task { seen: vec![seen.clone()], edits, beside: vec![], options: batch.options };
            match task.run(|_, planned| planned).await? {
                Ok(plans) => {
                    let plan = plans.into_iter().next().expect("a plan for each document");
                    matching.changes.push(of_plan(&seen, plan));
                    matching.numbers.push((document.key.clone(), rest.edits.iter().map(|it| it.number).collect()));
                    break;
                }
                Err(conflicts) => {
                    let failing = |position: usize| conflicts.iter().any(|it| it.edit == position);
                    let edits = std::mem::take(&mut rest.edits).into_iter().enumerate();
                    rest.edits = edits.filter(|(position, _)| !failing(*position)).map(|it| it.1).collect();
                }
            }
        }
    }
    Ok(matching)
}

/// Applies the changes out of the handler's hands, takes the edits off what is pending, and shows what is left.
async fn finish(
    server: &Arc<Server>,
    turn: Turn,
    batch: Arc<PendingBatch>,
    changes: Vec<Change>,
    numbers: Vec<(UriKey, Vec<usize>)>,
    status: String,
) -> Result<Value, Refusal> {
    let server = server.clone();
    let task = tokio::spawn(async move {
        let label = batch.label.clone().unwrap_or_else(|| "Agent edit".to_owned());
        let part = AppliedBatch {
            id: batch.id.clone(),
            agent: batch.agent.clone(),
            label: batch.label.clone(),
            changes: changes.iter().cloned().map(Arc::new).collect(),
        };
        apply::apply(&server, changes, Some(label)).await?;
        server.applied.add(part);
        for (key, numbers) in &numbers {
            server.pending.remove(&batch.id, key, numbers);
        }
        drop(turn);
        diagnostics::publish(&server, &batch.keys()).await;
        Ok(result(&server, &batch.id, true, status))
    });
    task.await.unwrap_or_else(|_| Err(Refusal::Internal("a fault while applying".to_owned())))
}

fn result(server: &Server, batch_id: &str, applied: bool, status: String) -> Value {
    let remaining = server.pending.get(batch_id).map_or(0, |it| it.edit_count());
    to_value(CommandResult { batch_id: batch_id.to_owned(), applied, status, remaining })
}

fn one_edit(arguments: &PendingArguments) -> Result<(UriKey, usize), Refusal> {
    let missing = |field: &str| Refusal::InvalidParams(format!("{field}: missing"));
    let uri = arguments.uri.as_deref().ok_or_else(|| missing("uri"))?;
    Ok((UriKey::of(uri), arguments.edit.ok_or_else(|| missing("edit"))?))
}

fn pending_batch(server: &Server, id: &str) -> Result<Arc<PendingBatch>, Refusal> {
    server.pending.get(id).ok_or_else(|| {
        let reason = format!("batch {id} is no longer pending");
        Refusal::NotApplied { reason, uri: None }
    })
}

fn not_pending(id: &str, number: usize) -> Refusal {
    Refusal::NotApplied { reason: format!("edit {} of batch {id} is no longer pending", number + 1), uri: None }
}

async fn seen_in(server: &Server, batch: &PendingBatch, key: &UriKey) -> Result<Seen, Refusal> {
    let document = batch.document(key).ok_or_else(|| Refusal::NotApplied {
        reason: format!("batch {} has nothing pending there", batch.id),
        uri: None,
    })?;
    let seen = snapshot::of(server, vec![(document.uri.as_str().to_owned(), key.clone())]).await?;
    Ok(seen.into_iter().next().expect("one was asked for"))
}

/// How the edit of this number stands; one that was never shown stands as one that can be applied.
async fn standing_of(
    server: &Server,
    batch: &Arc<PendingBatch>,
    seen: &Seen,
    number: usize,
) -> Result<Standing, Refusal> {
    let standings = standing::of_batch(server, batch.clone(), seen).await?;
    standings.into_iter().find(|it| it.number == number).ok_or_else(|| not_pending(&batch.id, number))
}
