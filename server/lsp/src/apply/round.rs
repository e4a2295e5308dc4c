//! One `workspace/applyEdit`, then the editor's own `didChange` as the only proof.
//!
//! What the editor answers is a hint. Some say true and skip the edit, some say it before the change comes, some say
//! nothing; so every document is watched for the expected text from before the request until this is over.

use std::time::Duration;

use agent_edit_engine::Text;
use tokio::time::timeout;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types::request::ApplyWorkspaceEdit;
use tower_lsp::ls_types::{ApplyWorkspaceEditParams, ApplyWorkspaceEditResponse};

use crate::apply::operations::Looked;
use crate::apply::reviewed::Review;
use crate::apply::{Change, operations};
use crate::documents::{Condition, State};
use crate::expectation::{Comparison, Expectation, expect};
use crate::files;
use crate::operations::FileChange;
use crate::planning::beside_the_reader;
use crate::protocol::DivergedState;
use crate::server::Server;
use crate::snapshot::Origin;
use crate::to_proto;
use crate::uri_key::UriKey;

/// What has become of the changes that the editor was asked for at once.
#[derive(Debug)]
pub(crate) struct Round {
    /// Of each change.
    pub found: Vec<Found>,
    /// Of each file operation.
    pub operated: Vec<Found>,
    /// What the editor said to it.
    pub answer: Answer,
}

/// What has become of one document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub state: DivergedState,
    /// It has changed since the request, whoever changed it.
    pub moved: bool,
}

/// What came back from the editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It was not asked: a document had changed.
    Unasked,
    /// Nothing yet, and nothing is needed: all documents hold their results.
    Unneeded,
    /// `applied: true`.
    Applied,
    /// `applied: false`, and not a word on why.
    Declined,
    /// `applied: false`, or an error, and why.
    Refused(String),
    /// Nothing in time.
    Silence(Duration),
}

impl Answer {
    /// It said no: what it has not done by then it will not do.
    pub(crate) fn is_no(&self) -> bool {
        matches!(self, Self::Declined | Self::Refused(_))
    }
}

/// How the editor is asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manner {
    /// What the person reads in the undo list.
    pub label: Option<String>,
    /// What the editor asks the person first, if it is to.
    pub review: Option<Review>,
}

/// Has the editor make all of `changes` and `operations` at once, and returns when each document has been seen to hold its
/// result, and each file to be where it belongs, or can no longer be expected to.
pub(crate) async fn round(server: &Server, changes: &[Change], operations: &[FileChange], manner: &Manner) -> Round {
    let on_disk = texts_on_disk(server, changes).await;
    let looked = operations::look(server, operations).await;
    let edit = to_proto::workspace_edit(server.profile(), changes, operations);
    let edit = manner.review.iter().fold(edit, |edit, review| review.annotated(edit));
    let params = ApplyWorkspaceEditParams { label: manner.label.clone(), edit };
    // From here to the request nothing awaits: what is checked under the lock still holds when it goes out.
    let mut watched = match watch(server, changes, &on_disk, operations, &looked) {
        Ok(watched) => watched,
        Err(outdated) => return outdated,
    };
    let answer = ask(server, params, manner, &mut watched).await;
    let on_disk = settle(server, changes, &answer, &mut watched).await;
    let looked = operations::settle(server, operations, &watched.arrivals, patience(server, &answer)).await;
    let operated = operations.iter().zip(&looked).zip(&watched.arrivals);
    let operated = operated
        .map(|((it, looked), arrival)| operations::judge(server, it, looked, arrival.as_ref(), manner, &answer))
        .collect();
    let found = judge(server, changes, manner, &answer, &watched, &on_disk);
    tracing::debug!(?found, ?operated, "settled");
    Round { found, operated, answer }
}

/// Which of `changes` are for texts that are no longer there, if any: all of them at one moment, the files as they were
/// a moment before.
pub(crate) async fn outdated(server: &Server, changes: &[Change]) -> Option<Vec<Found>> {
    let on_disk = texts_on_disk(server, changes).await;
    still_hold(&server.documents.now(), changes, &on_disk).err()
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
    let (folders, limit) = (server.folders(), server.settings().limits.document_bytes);
    let read = move |uri: Option<String>| Some(Text::new(files::read(&folders, &uri?, limit).ok()?.document()));
    let work = move || wanted.into_iter().map(read).collect();
    beside_the_reader(usize::MAX, work).await.unwrap_or_else(|_| vec![None; changes.len()])
}

/// The documents that are watched, in the order of the changes. They are no longer once this is dropped.
struct Watched<'a> {
    server: &'a Server,
    keys: Vec<UriKey>,
    expectations: Vec<Expectation>,
    /// The documents that file operations may bring, in the order of these.
    arrivals: Vec<Option<Expectation>>,
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

/// Checks that every document still is what its change was computed for.
fn still_hold(state: &State, changes: &[Change], on_disk: &[Option<Text>]) -> Result<(), Vec<Found>> {
    let holds = |(change, on_disk): (&Change, &Option<Text>)| match (&change.seen.origin, state.get(&change.seen.key)) {
        (Origin::Open { revision, .. }, Some(now)) => now.revision == *revision && now.condition == Condition::Good,
        // A file nobody has open has no version: that it still holds the base is looked up.
        (Origin::File, None) => on_disk.as_ref() == Some(&change.seen.text),
        _ => false,
    };
    let found = |it| Found { state: DivergedState::NotApplied, moved: !holds(it) };
    let found: Vec<_> = changes.iter().zip(on_disk).map(found).collect();
    if found.iter().any(|it| it.moved) { Err(found) } else { Ok(()) }
}

/// Has the result of every document expected, from a moment at which each is what its change was computed for.
fn watch<'a>(
    server: &'a Server,
    changes: &[Change],
    on_disk: &[Option<Text>],
    operations: &[FileChange],
    looked: &[Looked],
) -> Result<Watched<'a>, Round> {
    let comparison = match server.profile().normalizes_line_endings {
        true => Comparison::ModuloLineEndings,
        false => Comparison::Exact,
    };
    let mut state = server.documents.now();
    let holds = |(it, looked)| operations::still_holds(&state, it, looked);
    let operated = operations.iter().zip(looked).map(holds);
    let operated: Vec<_> = operated.map(|holds| Found { state: DivergedState::NotApplied, moved: !holds }).collect();
    let found = still_hold(&state, changes, on_disk).err();
    if found.is_some() || operated.iter().any(|it| it.moved) {
        let found = found.unwrap_or_else(|| vec![Found::UNTOUCHED; changes.len()]);
        return Err(Round { found, operated, answer: Answer::Unasked });
    }
    let mut watched = Watched { server, keys: vec![], expectations: vec![], arrivals: vec![] };
    let mut expected = |key: &UriKey, text: &Text| {
        let (expected, expectation) = expect(text.clone(), comparison);
        state.expect(key.clone(), expected);
        watched.keys.push(key.clone());
        expectation
    };
    watched.expectations = changes.iter().map(|it| expected(&it.seen.key, &it.result)).collect();
    let arrival = |it| operations::arrival(it).map(|(place, text)| expected(&place.key, text));
    watched.arrivals = operations.iter().map(arrival).collect();
    Ok(watched)
}

async fn ask(server: &Server, params: ApplyWorkspaceEditParams, manner: &Manner, watched: &mut Watched<'_>) -> Answer {
    let request = server.client.send_request::<ApplyWorkspaceEdit>(params);
    let answer = tokio::select! {
        // First, so that the request is on its way before anything else is looked at.
        biased;
        answer = in_time(server, manner, request) => answer,
        // What an editor does with files, its answer comes after.
        () = watched.reached(), if watched.arrivals.is_empty() => Answer::Unneeded,
    };
    if let Some(review) = &manner.review {
        review.answered.cancel();
    }
    answer
}

/// An editor is waited for so long and no longer, a person without end.
async fn in_time(
    server: &Server,
    manner: &Manner,
    request: impl Future<Output = jsonrpc::Result<ApplyWorkspaceEditResponse>>,
) -> Answer {
    if manner.review.is_some() {
        return answered(request.await);
    }
    let patience = server.profile().timeouts.answer;
    timeout(patience, request).await.map_or(Answer::Silence(patience), answered)
}

fn answered(answer: jsonrpc::Result<ApplyWorkspaceEditResponse>) -> Answer {
    match answer {
        Ok(ApplyWorkspaceEditResponse { applied: true, .. }) => Answer::Applied,
        Ok(ApplyWorkspaceEditResponse { failure_reason: Some(reason), .. }) => {
            Answer::Refused(format!("the editor refused: {reason}"))
        }
        Ok(_) => Answer::Declined,
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
    let patience = patience(server, answer);
    // That the time is up is no error: what is there then is looked at.
    let _ = timeout(patience, watched.decided()).await;
    texts_on_disk(server, changes).await
}

/// How long is waited for what the editor has still to show.
fn patience(server: &Server, answer: &Answer) -> Duration {
    let settle = server.profile().timeouts.settle;
    match answer {
        Answer::Silence(_) => Duration::ZERO,
        it if it.is_no() => settle.min(AFTER_REFUSAL),
        _ => settle,
    }
}

fn holds(change: &Change, on_disk: &Option<Text>) -> bool {
    on_disk.as_ref().is_some_and(|it| Comparison::ModuloLineEndings.same(&change.result, it))
}

/// What has become of the documents. What may still change behind our back is taken down.
fn judge(
    server: &Server,
    changes: &[Change],
    manner: &Manner,
    answer: &Answer,
    watched: &Watched<'_>,
    on_disk: &[Option<Text>],
) -> Vec<Found> {
    let found = |(number, change): (usize, &Change)| {
        let reached = watched.expectations[number].is_reached() || holds(change, &on_disk[number]);
        if reached { Found::RESULT } else { found(server, change, manner, answer) }
    };
    let found: Vec<Found> = changes.iter().enumerate().map(found).collect();
    for (change, found) in changes.iter().zip(&found).filter(|it| !it.1.moved) {
        // What a person was asked for and has not come was left out.
        let may_still_come = found.state == DivergedState::NotApplied && !answer.is_no() && manner.review.is_none();
        match &change.seen.origin {
            Origin::Open { revision, .. } if may_still_come => server.documents.unsettle(&change.seen.key, *revision),
            Origin::File if found.is_out_of_sight() || matches!(answer, Answer::Silence(_)) => {
                server.documents.out_of_sight(&change.seen.key, change.seen.text.clone());
            }
            _ => {}
        }
    }
    found
}

impl Found {
    /// Nothing was asked of it.
    pub(crate) const UNTOUCHED: Self = Self { state: DivergedState::NotApplied, moved: false };

    /// What was asked for.
    pub(crate) const RESULT: Self = Self { state: DivergedState::Applied, moved: true };

    /// Applied by the editor's word alone, or not even that is known.
    fn is_out_of_sight(&self) -> bool {
        matches!(self.state, DivergedState::Applied | DivergedState::Unknown) && !self.moved
    }
}

/// A document that has not been seen to hold its result.
fn found(server: &Server, change: &Change, manner: &Manner, answer: &Answer) -> Found {
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
        Some(_) if answer.is_no() => DivergedState::NotApplied,
        Some(_) => DivergedState::Different,
        // Not open before, not open now, and the file is as it was: the editor keeps it where we cannot see it.
        // A person may have left it out.
        None if is_file(change) && *answer == Answer::Applied && manner.review.is_some() => DivergedState::Unknown,
        None if is_file(change) && *answer == Answer::Applied => DivergedState::Applied,
        None if is_file(change) => DivergedState::NotApplied,
        None => DivergedState::Unknown,
    };
    Found { state, moved }
}
