//! Through the editor: `workspace/applyEdit` once, then the editor's own `didChange` as the only proof.
//!
//! What the editor answers is a hint. Some say true and skip the edit, some say it before the change comes, some say
//! nothing; so every document is watched for the expected text from before the request until this is over.

use std::time::Duration;

use agent_edit_engine::{EditSet, Text};
use tokio::time::timeout;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types::request::ApplyWorkspaceEdit;
use tower_lsp::ls_types::{ApplyWorkspaceEditParams, ApplyWorkspaceEditResponse};

use crate::documents::Condition;
use crate::expectation::{Comparison, Expectation, expect};
use crate::files;
use crate::planning::beside_the_reader;
use crate::protocol::{DivergedDocument, DivergedState};
use crate::refusal::Refusal;
use crate::server::Server;
use crate::snapshot::{Origin, Seen};
use crate::to_proto;
use crate::uri_key::UriKey;

/// What is to be changed in one document.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The document as the change was computed for it.
    pub seen: Seen,
    /// From its text to the result.
    pub edits: EditSet,
    /// The result.
    pub result: Text,
}

/// Has the editor make all of `changes`, and returns when each document has been seen to hold its result. A change that
/// changes nothing is not sent. The caller holds the lanes of the documents.
///
/// To be run to its end: once the request is out, only watching tells what became of it.
pub(crate) async fn apply(server: &Server, changes: Vec<Change>, label: Option<String>) -> Result<(), Refusal> {
    let changes: Vec<_> = changes.into_iter().filter(|it| !it.edits.is_empty()).collect();
    if changes.is_empty() {
        return Ok(());
    }
    if !server.profile().applies_edits {
        let reason = "this editor does not take edits: it does not announce workspace.applyEdit".to_owned();
        return Err(Refusal::NotApplied { reason, uri: None });
    }
    files_are_unchanged(server, &changes).await?;
    let params = ApplyWorkspaceEditParams { label, edit: to_proto::workspace_edit(server.profile(), &changes) };
    // From here to the request nothing awaits: what is checked under the lock still holds when it goes out.
    let mut watched = watch(server, &changes)?;
    let answer = ask(server, params, &mut watched).await;
    let on_disk = settle(server, &changes, &answer, &mut watched).await;
    judge(server, &changes, &answer, &watched, &on_disk)
}

/// A file nobody has open has no version: that it still holds the base is looked up.
async fn files_are_unchanged(server: &Server, changes: &[Change]) -> Result<(), Refusal> {
    let on_disk = texts_on_disk(server, changes).await;
    match changes.iter().zip(on_disk).find(|(it, text)| is_file(it) && text.as_ref() != Some(&it.seen.text)) {
        Some((change, _)) => Err(modified_before(&change.seen)),
        None => Ok(()),
    }
}

fn is_file(change: &Change) -> bool {
    change.seen.origin == Origin::File
}

/// What the files of those documents hold that were not open; `None` for the open ones and what cannot be read.
async fn texts_on_disk(server: &Server, changes: &[Change]) -> Vec<Option<Text>> {
    let wanted = |it: &Change| is_file(it).then(|| it.seen.uri.as_str().to_owned());
    let wanted: Vec<_> = changes.iter().map(wanted).collect();
    if wanted.iter().all(Option::is_none) {
        return vec![None; changes.len()];
    }
    let folders = server.folders();
    let read = move |uri: Option<String>| Some(Text::new(&files::read(&folders, &uri?).ok()?.text));
    let work = move || wanted.into_iter().map(read).collect();
    beside_the_reader(usize::MAX, work).await.unwrap_or_else(|_| vec![None; changes.len()])
}

fn modified_before(seen: &Seen) -> Refusal {
    let reason = format!("{} changed while the batch was being computed", seen.name);
    Refusal::ContentModified { reason, diverged: None }
}

/// The documents that are watched, in the order of the changes. They are no longer once this is dropped.
struct Watched<'a> {
    server: &'a Server,
    keys: Vec<UriKey>,
    expectations: Vec<Expectation>,
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        let mut state = self.server.documents.now();
        self.keys.iter().for_each(|key| state.forget(key));
    }
}

impl Watched<'_> {
    fn all_reached(&self) -> bool {
        self.expectations.iter().all(Expectation::is_reached)
    }

    /// Waits until each has held its result or can no longer do so.
    async fn decided(&mut self) {
        for expectation in &mut self.expectations {
            expectation.decided().await;
        }
    }

    /// Waits until each has held its result.
    async fn reached(&mut self) {
        self.decided().await;
        if !self.all_reached() {
            std::future::pending::<()>().await;
        }
    }
}

/// Checks that every document still is what the change was computed for, and has its result expected, at one moment.
fn watch<'a>(server: &'a Server, changes: &[Change]) -> Result<Watched<'a>, Refusal> {
    let comparison = match server.profile().normalizes_line_endings {
        true => Comparison::ModuloLineEndings,
        false => Comparison::Exact,
    };
    let mut state = server.documents.now();
    for Change { seen, .. } in changes {
        let is_same = match (&seen.origin, state.get(&seen.key)) {
            (Origin::Open { revision, .. }, Some(now)) => now.revision == *revision && now.condition == Condition::Good,
            (Origin::File, None) => true,
            _ => false,
        };
        if !is_same {
            return Err(modified_before(seen));
        }
    }
    let mut watched = Watched { server, keys: vec![], expectations: vec![] };
    for Change { seen, result, .. } in changes {
        let (expected, expectation) = expect(result.clone(), comparison);
        state.expect(seen.key.clone(), expected);
        watched.keys.push(seen.key.clone());
        watched.expectations.push(expectation);
    }
    Ok(watched)
}

/// What came back from the editor.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    /// Nothing yet, and nothing is needed: all documents hold their results.
    Unneeded,
    /// `applied: true`.
    Applied,
    /// `applied: false`, or an error; why, if it says.
    Refused(String),
    /// Nothing in time.
    Silence(Duration),
}

async fn ask(server: &Server, params: ApplyWorkspaceEditParams, watched: &mut Watched<'_>) -> Answer {
    let patience = server.profile().timeouts.answer;
    let request = timeout(patience, server.client.send_request::<ApplyWorkspaceEdit>(params));
    tokio::select! {
        // First, so that the request is on its way before anything else is looked at.
        biased;
        answer = request => match answer {
            Ok(answer) => answered(answer),
            Err(_) => Answer::Silence(patience),
        },
        () = watched.reached() => Answer::Unneeded,
    }
}

fn answered(answer: jsonrpc::Result<ApplyWorkspaceEditResponse>) -> Answer {
    match answer {
        Ok(ApplyWorkspaceEditResponse { applied: true, .. }) => Answer::Applied,
        Ok(ApplyWorkspaceEditResponse { failure_reason: Some(reason), .. }) => {
            Answer::Refused(format!("the editor refused: {reason}"))
        }
        Ok(_) => Answer::Refused("the editor refused and gave no reason".to_owned()),
        Err(error) => Answer::Refused(format!("the editor failed: {}", error.message)),
    }
}

/// How long an editor that refused is watched all the same. What it did before it stopped is on its way: editors hold
/// changes back for 150 ms at most. The agent waits for as long to hear of the refusal.
const AFTER_REFUSAL: Duration = Duration::from_millis(500);

/// Waits for what the editor has still to show, whatever it answered. Returns what it has written to disk of documents
/// that are not open.
async fn settle(server: &Server, changes: &[Change], answer: &Answer, watched: &mut Watched<'_>) -> Vec<Option<Text>> {
    let on_disk = texts_on_disk(server, changes).await;
    let is_there = |(number, it): (usize, &Expectation)| it.is_reached() || holds(&changes[number], &on_disk[number]);
    if matches!(answer, Answer::Silence(_)) || watched.expectations.iter().enumerate().all(is_there) {
        return on_disk;
    }
    let patience = match answer {
        Answer::Refused(_) => server.profile().timeouts.settle.min(AFTER_REFUSAL),
        _ => server.profile().timeouts.settle,
    };
    // That the time is up is no error: what is there then is looked at.
    let _ = timeout(patience, watched.decided()).await;
    texts_on_disk(server, changes).await
}

fn holds(change: &Change, on_disk: &Option<Text>) -> bool {
    on_disk.as_ref().is_some_and(|it| Comparison::ModuloLineEndings.same(&change.result, it))
}

/// What has become of the batch.
fn judge(
    server: &Server,
    changes: &[Change],
    answer: &Answer,
    watched: &Watched<'_>,
    on_disk: &[Option<Text>],
) -> Result<(), Refusal> {
    let found = |(number, change): (usize, &Change)| {
        let reached = watched.expectations[number].is_reached() || holds(change, &on_disk[number]);
        if reached { Found::RESULT } else { found(server, change, answer) }
    };
    let found: Vec<Found> = changes.iter().enumerate().map(found).collect();
    let out_of_sight = |it: &(&Change, &Found)| it.1.is_believed() || matches!(answer, Answer::Silence(_));
    for (change, _) in changes.iter().zip(&found).filter(|it| is_file(it.0) && !it.1.moved).filter(out_of_sight) {
        server.documents.out_of_sight(&change.seen.key, change.seen.text.clone());
    }
    if found.iter().all(|it| it.state == DivergedState::Applied) {
        return Ok(());
    }
    for (change, found) in changes.iter().zip(&found) {
        if let (Found { state: DivergedState::NotApplied, moved: false }, Origin::Open { revision, .. }) =
            (found, &change.seen.origin)
            && !matches!(answer, Answer::Refused(_))
        {
            server.documents.unsettle(&change.seen.key, *revision);
        }
    }
    let reason = reason(answer, server.profile().timeouts.settle);
    if found.iter().any(|it| it.state != DivergedState::NotApplied) {
        return Err(Refusal::ContentModified { reason, diverged: Some(diverged(changes, &found)) });
    }
    match changes.iter().zip(&found).find(|it| it.1.moved) {
        Some((change, _)) => {
            let reason = format!("{} changed while the batch was being applied; {reason}", change.seen.name);
            Err(Refusal::ContentModified { reason, diverged: None })
        }
        None => Err(Refusal::NotApplied { reason, uri: None }),
    }
}

/// What has become of one document.
#[derive(Clone, Copy, Debug)]
struct Found {
    state: DivergedState,
    /// It has changed since the request, whoever changed it.
    moved: bool,
}

impl Found {
    const RESULT: Self = Self { state: DivergedState::Applied, moved: true };

    /// Applied by the editor's word alone.
    fn is_believed(&self) -> bool {
        self.state == DivergedState::Applied && !self.moved
    }
}

/// A document that has not been seen to hold its result.
fn found(server: &Server, change: &Change, answer: &Answer) -> Found {
    let state = server.documents.now();
    let now = state.get(&change.seen.key);
    let moved = match (&change.seen.origin, now) {
        (Origin::Open { revision, .. }, Some(now)) => now.revision != *revision && now.text != change.seen.text,
        (Origin::File, Some(now)) => now.text != change.seen.text,
        (Origin::Open { .. }, None) => true,
        (Origin::File, None) => false,
    };
    let state = match now {
        Some(now) if matches!(now.condition, Condition::Lost(_)) => DivergedState::Unknown,
        Some(_) if !moved => DivergedState::NotApplied,
        // Another text: an editor that refused has not touched it, the person has.
        Some(_) if matches!(answer, Answer::Refused(_)) => DivergedState::NotApplied,
        Some(_) => DivergedState::Different,
        // Not open before, not open now, and the file is as it was: the editor keeps it where we cannot see it.
        None if is_file(change) && *answer == Answer::Applied => DivergedState::Applied,
        None if is_file(change) => DivergedState::NotApplied,
        None => DivergedState::Unknown,
    };
    Found { state, moved }
}

fn diverged(changes: &[Change], found: &[Found]) -> Vec<DivergedDocument> {
    let document = |(change, found): (&Change, &Found)| DivergedDocument {
        uri: change.seen.uri.as_str().to_owned(),
        state: found.state,
    };
    changes.iter().zip(found).map(document).collect()
}

fn reason(answer: &Answer, settle: Duration) -> String {
    match answer {
        Answer::Refused(reason) => reason.clone(),
        Answer::Silence(patience) => format!("the editor did not answer within {patience:?}"),
        Answer::Applied | Answer::Unneeded => {
            format!("the editor said it applied the edit, but did not show its result within {settle:?}")
        }
    }
}
