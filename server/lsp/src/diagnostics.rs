//! The conflicts as the editor shows them: published when they are others than before, or, to an editor that would rather
//! ask for them, only that they are.

use std::sync::Arc;

use agent_edit_engine as engine;
use agent_edit_engine::Span;
use tokio::time::timeout;
use tower_lsp::ls_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Uri,
};

use crate::documents::Revision;
use crate::positions;
use crate::protocol::{DiagnosticData, to_value};
use crate::refusal::Refusal;
use crate::server::Server;
use crate::snapshot::{self, Seen};
use crate::standing::{self, Standing, Verdict};
use crate::uri_key::UriKey;

/// What our diagnostics are known by.
pub(crate) const SOURCE: &str = "agent-edit";

/// Looks for the conflicts of these documents again, and publishes those that are others now.
pub(crate) async fn publish(server: &Arc<Server>, keys: &[UriKey]) {
    let mut to_be_pulled = false;
    for key in keys {
        let _in_order = server.pending.publishing.lock().await;
        let Some(other) = other(server, key).await else { continue };
        match server.profile().pulls_diagnostics {
            true => to_be_pulled = true,
            false => server.client.publish_diagnostics(other.uri, other.diagnostics, other.version).await,
        }
    }
    if to_be_pulled && server.profile().refreshes_diagnostics {
        refresh(server);
    }
}

/// Has the editor ask again. What it answers to that says nothing, and is not waited for.
fn refresh(server: &Arc<Server>) {
    let server = server.clone();
    tokio::spawn(async move {
        let _ = timeout(server.profile().timeouts.answer, server.client.workspace_diagnostic_refresh()).await;
    });
}

/// Looks for the conflicts of a document again once it has been quiet for a while, if there are any.
pub(crate) fn publish_when_quiet(server: &Arc<Server>, key: UriKey) {
    if !server.pending.concerns(&key) {
        return;
    }
    let (server, change) = (server.clone(), server.pending.changed(&key));
    tokio::spawn(async move {
        tokio::time::sleep(server.settings().diagnose_delay).await;
        if server.pending.is_quiet_since(&key, change) {
            publish(&server, &[key]).await;
        }
    });
}

/// What a document is to be shown with, in place of what it is.
struct Other {
    uri: Uri,
    diagnostics: Vec<Diagnostic>,
    version: Option<i32>,
}

/// Looks for the conflicts of a document again. `None` where they are shown already.
async fn other(server: &Arc<Server>, key: &UriKey) -> Option<Other> {
    let uri = uri(server, key)?;
    let Ok(seen) = snapshot::of(server, vec![(uri.as_str().to_owned(), key.clone())]).await else {
        // Its text is not known now: what was found in the last one stays until it is, unless nothing is pending.
        let gone = server.pending.of(key).is_empty() && server.pending.publish(key, &uri, None, &[]);
        return gone.then_some(Other { uri, diagnostics: vec![], version: None });
    };
    let seen = seen.into_iter().next().expect("one was asked for");
    let diagnostics = of_document(server, &seen).await.ok()?;
    // An editor that drops what is for another version must not drop that there is nothing any more.
    let version = seen.version().filter(|_| server.profile().versioned_diagnostics && !diagnostics.is_empty());
    let is_other = server.pending.publish(key, &seen.uri, version, &diagnostics);
    if revision(server, key) != seen.revision() {
        // It changed meanwhile, perhaps before anybody knew that there is something to be looked for again.
        publish_when_quiet(server, key.clone());
    }
    is_other.then_some(Other { uri: seen.uri, diagnostics, version })
}

/// The conflicts of a document in the text that was seen.
pub(crate) async fn of_document(server: &Server, seen: &Seen) -> Result<Vec<Diagnostic>, Refusal> {
    let standings = standing::of_document(server, seen).await?;
    Ok(standings.iter().flat_map(|it| of_standing(server, seen, it)).collect())
}

/// The client's own spelling, else the agent's.
fn uri(server: &Server, key: &UriKey) -> Option<Uri> {
    let open = server.documents.now().get(key).map(|it| it.uri.clone());
    open.or_else(|| server.pending.uri(key))
}

fn revision(server: &Server, key: &UriKey) -> Option<Revision> {
    server.documents.now().get(key).map(|it| it.revision)
}

/// One diagnostic a place.
pub(crate) fn of_standing(server: &Server, seen: &Seen, standing: &Standing) -> Vec<Diagnostic> {
    let places = standing.places(&seen.text);
    (0..places.len()).map(|place| diagnostic(server, seen, standing, &places, place)).collect()
}

fn diagnostic(server: &Server, seen: &Seen, standing: &Standing, places: &[Span], place: usize) -> Diagnostic {
    let range = |it: Span| positions::range(&seen.text, it, server.profile().encoding);
    let (severity, code, message) = match &standing.verdict {
        Verdict::Conflict(conflict) => (server.settings().severity, conflict.kind.name(), engine::message(conflict)),
        // The code stays the kind it was pinned as; that it is none any longer, the message says.
        Verdict::Applicable { before, .. } => {
            // It is never more urgent than what fails.
            let severity = match server.settings().severity {
                DiagnosticSeverity::HINT => DiagnosticSeverity::HINT,
                _ => DiagnosticSeverity::INFORMATION,
            };
            (severity, before.kind, format!("{}: can be applied now", before.label))
        }
    };
    let others = places.iter().enumerate().filter(|&(number, _)| number != place);
    let related = others.map(|(_, &it)| DiagnosticRelatedInformation {
        location: Location { uri: seen.uri.clone(), range: range(it) },
        message: "it stands here too".to_owned(),
    });
    let related: Vec<_> = related.filter(|_| server.profile().related_information).collect();
    Diagnostic {
        range: range(places[place]),
        severity: Some(severity),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        data: Some(to_value(DiagnosticData { batch_id: standing.batch.id.clone(), edit: standing.number })),
        ..Diagnostic::default()
    }
}
