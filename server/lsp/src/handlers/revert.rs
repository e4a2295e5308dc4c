//! `agentEdit.revert`: what a batch did to documents is taken back, wherever it still stands.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use agent_edit_engine::Span;
use serde_json::Value;

use crate::applied::AppliedBatch;
use crate::apply::{self, Change};
use crate::cancelled::unless_cancelled;
use crate::diagnostics;
use crate::errors;
use crate::parsing::parsed;
use crate::planning::beside_the_reader;
use crate::positions::lines_of;
use crate::protocol::{RevertArguments, RevertResult, RevertedDocument, to_value};
use crate::refusal::Refusal;
use crate::revert::{places, revert};
use crate::review::in_one_line;
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

/// How long a text may be compared with what a batch made of it: where that is offered, wherever the cursor goes, and where
/// it is done.
const TO_OFFER: Duration = Duration::from_millis(50);
const TO_REVERT: Duration = Duration::from_secs(1);

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
        let arguments = RevertArguments { batch_id: it.id.clone(), uri: None };
        ids.insert(it.id.clone()).then(|| (title(&it), arguments))
    };
    Ok(standing.into_iter().filter_map(offer).collect())
}

fn title(batch: &AppliedBatch) -> String {
    let (id, agent) = (&batch.id, in_one_line(&batch.agent));
    match &batch.label {
        Some(label) => format!("Revert agent edits of “{}” (batch {id} of {agent})", in_one_line(label)),
        None => format!("Revert agent edits of {agent} (batch {id})"),
    }
}

/// Whether something of the batch stands in these lines, and all of it in the document.
fn stands_in(batch: &AppliedBatch, now: &Seen, lines: Span) -> bool {
    let places = batch.change(&now.key).map(|it| places(it, &now.text, TO_OFFER));
    let touches = |it: &Span| {
        let place = lines_of(&now.text, *it);
        place.start <= lines.end && lines.start <= place.end
    };
    places.is_some_and(|it| it.is_ok_and(|it| it.iter().any(touches)))
}

/// All that was applied of the batch in one document, or none of it.
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
        let parts = server.applied.parts(&id);
        let changes: Vec<_> = parts.iter().filter_map(|it| it.change(&key)).cloned().collect();
        let label = parts.first().and_then(|it| it.label.clone());
        let uri = changes.first().map(|it| it.seen.uri.as_str().to_owned()).unwrap_or_default();
        let outcome = revert_changes(&server, changes, label).await;
        drop(turn);
        diagnostics::publish(&server, &[key]).await;
        RevertedDocument { uri, reverted: outcome.is_ok(), reason: outcome.err() }
    });
    task.await.map_err(|_| Refusal::Internal("a fault while reverting".to_owned()))
}

/// Takes back what was done to one document, the last first, in one change.
async fn revert_changes(server: &Arc<Server>, changes: Vec<Arc<Change>>, label: Option<String>) -> Result<(), String> {
    let told = |refusal: Refusal| errors::error(refusal).message.into_owned();
    let last = changes.first().ok_or("it was taken back meanwhile")?;
    let wanted = vec![(last.seen.uri.as_str().to_owned(), last.seen.key.clone())];
    let seen = snapshot::of(server, wanted).await.map_err(told)?;
    let seen = seen.into_iter().next().expect("one was asked for");
    let bytes = changes.iter().map(|it| it.result.len().0).sum::<usize>() + seen.text.len().0;
    let known = changes.clone();
    let back = beside_the_reader(bytes, move || revert(&known, &seen, TO_REVERT)).await.map_err(told)??;
    let label = format!("Revert {}", label.as_deref().unwrap_or("agent edit"));
    apply::apply(server, vec![back], Some(label)).await.map_err(told)?;
    changes.iter().for_each(|it| server.applied.forget(it));
    Ok(())
}
