//! `agentEdit.revert`: what a batch did to documents is taken back, wherever it still stands.

use std::collections::HashSet;
use std::sync::Arc;

use agent_edit_engine::Span;
use serde_json::Value;

use crate::applied::AppliedBatch;
use crate::apply::{self, Change};
use crate::cancelled::unless_cancelled;
use crate::diagnostics;
use crate::parsing::parsed;
use crate::planning::beside_the_reader;
use crate::positions::lines_of;
use crate::protocol::{RevertArguments, RevertResult, RevertedDocument, to_value};
use crate::refusal::Refusal;
use crate::revert::{places, revert};
use crate::server::Server;
use crate::snapshot::{self, Seen};
use crate::transport;
use crate::uri_key::UriKey;

pub(crate) const REVERT: &str = "agentEdit.revert";

/// The command. Each document is taken back by itself, and stays as it is where that is not possible.
pub(crate) async fn revert_batch(server: &Arc<Server>, argument: Value) -> Result<Value, Refusal> {
    let arguments: RevertArguments = parsed(argument)?;
    let parts = server.applied.parts(&arguments.batch_id);
    let only = arguments.uri.as_deref().map(UriKey::of);
    let mut keys = HashSet::new();
    let mut documents = vec![];
    for key in parts.iter().flat_map(|it| &it.changes).map(|it| &it.seen.key) {
        if only.as_ref().is_none_or(|it| it == key) && keys.insert(key.clone()) {
            documents.push(revert_document(server, &arguments.batch_id, key).await?);
        }
    }
    if documents.is_empty() {
        let reason = format!("nothing that batch {} did is known any more", arguments.batch_id);
        return Err(Refusal::NotApplied { reason, uri: arguments.uri });
    }
    let done = documents.iter().filter(|it| it.reverted).count();
    let status = format!("reverted in {done} of {} {}", documents.len(), plural(documents.len()));
    Ok(to_value(RevertResult { batch_id: arguments.batch_id, status, documents }))
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "document" } else { "documents" }
}

/// How many batches of a document are offered to be taken back: the last ones.
const OFFERED: usize = 10;

/// What can be taken back of what stands in `lines` of `seen`, the last first: what to call it, and how to ask for it.
pub(crate) async fn offers(
    server: &Arc<Server>,
    seen: &Seen,
    lines: Span,
) -> Result<Vec<(String, RevertArguments)>, Refusal> {
    let mut batches = server.applied.of(&seen.key);
    batches.truncate(OFFERED);
    if batches.is_empty() {
        return Ok(vec![]);
    }
    let now = seen.clone();
    let bytes = seen.text.len().0 * batches.len();
    let standing = beside_the_reader(bytes, move || {
        batches.retain(|it| stands_in(it, &now, lines));
        batches
    })
    .await?;
    let mut ids = HashSet::new();
    let offer = |it: AppliedBatch| {
        let label =
            it.label.map_or_else(|| format!("edits of {}", it.agent), |label| format!("\u{201c}{label}\u{201d}"));
        let arguments = RevertArguments { batch_id: it.id.clone(), uri: None };
        ids.insert(it.id.clone()).then(|| (format!("Revert agent edits of batch {}: {label}", it.id), arguments))
    };
    Ok(standing.into_iter().filter_map(offer).collect())
}

/// Whether something of the batch stands in these lines, and all of it in the document.
fn stands_in(batch: &AppliedBatch, now: &Seen, lines: Span) -> bool {
    let places = batch.change(&now.key).map(|it| places(it, &now.text));
    let touches = |it: &Span| {
        let place = lines_of(&now.text, *it);
        place.start <= lines.end && lines.start <= place.end
    };
    places.is_some_and(|it| it.is_ok_and(|it| it.iter().any(touches)))
}

/// All that was applied of the batch in one document, the last first.
async fn revert_document(server: &Arc<Server>, id: &str, key: &UriKey) -> Result<RevertedDocument, Refusal> {
    let turn = server.lanes.take(vec![key.clone()]);
    let cancellation = transport::cancellation();
    unless_cancelled(&cancellation, async {
        turn.come().await;
        Ok(())
    })
    .await?;
    let (server, id, key) = (server.clone(), id.to_owned(), key.clone());
    // Out of the handler's hands: whatever becomes of the request, this is watched to its end.
    let task = tokio::spawn(async move {
        let mut uri = String::new();
        let mut outcome = Ok(());
        for part in server.applied.parts(&id) {
            let Some(change) = part.change(&key) else { continue };
            uri = change.seen.uri.as_str().to_owned();
            outcome = revert_change(&server, &part, change).await;
            if outcome.is_err() {
                break;
            }
            server.applied.forget(change);
        }
        drop(turn);
        diagnostics::publish(&server, &[key]).await;
        RevertedDocument { uri, reverted: outcome.is_ok(), reason: outcome.err() }
    });
    task.await.map_err(|_| Refusal::Internal("a fault while reverting".to_owned()))
}

async fn revert_change(server: &Arc<Server>, part: &AppliedBatch, change: &Arc<Change>) -> Result<(), String> {
    let told = |refusal: Refusal| crate::errors::error(refusal).message.into_owned();
    let wanted = vec![(change.seen.uri.as_str().to_owned(), change.seen.key.clone())];
    let seen = snapshot::of(server, wanted).await.map_err(told)?;
    let (change, seen) = (change.clone(), seen.into_iter().next().expect("one was asked for"));
    let bytes = change.result.len().0 + seen.text.len().0;
    let back = beside_the_reader(bytes, move || revert(&change, &seen)).await.map_err(told)??;
    let label = format!("Revert {}", part.label.as_deref().unwrap_or("agent edit"));
    apply::apply(server, vec![back], Some(label)).await.map_err(told)
}
