//! File operations through the editor, proved on the disk.
//!
//! They go out behind the text edits, so that an edit that is refused stops them; among them what can be taken back comes
//! first, and deleting last. Whatever the editor answers, each is looked up where its files are.

use std::path::PathBuf;
use std::time::Duration;

use agent_edit_engine::Text;
use tokio::time::{Instant, sleep};
use tower_lsp::ls_types::{
    CreateFile, CreateFileOptions, DeleteFile, DeleteFileOptions, DocumentChangeOperation, OneOf,
    OptionalVersionedTextDocumentIdentifier, Range, RenameFile, RenameFileOptions, ResourceOp, TextDocumentEdit,
    TextEdit,
};

use crate::apply::round::{Answer, Found, Manner};
use crate::capabilities::Profile;
use crate::documents::State;
use crate::expectation::{Comparison, Expectation};
use crate::files::{self, Spot, There};
use crate::operations::{Action, FileChange, Held, Place};
use crate::planning::beside_the_reader;
use crate::protocol::DivergedState;
use crate::server::Server;
use crate::snapshot::{sha256, sha256_of};

/// How often the disk is looked at while the editor is waited for.
const EVERY: Duration = Duration::from_millis(25);

/// The order that leaves the least damage where an editor stops in the middle.
pub(crate) fn in_order(mut operations: Vec<FileChange>) -> Vec<FileChange> {
    operations.sort_by_key(|it| match it.action {
        Action::Create { .. } => 0,
        Action::Rename { .. } => 1,
        Action::Delete { .. } => 2,
    });
    operations
}

/// What the editor is asked to do for `operation`.
pub(crate) fn asked(profile: &Profile, operation: &FileChange) -> Vec<DocumentChangeOperation> {
    match &operation.action {
        Action::Create { file, content } => {
            let options = CreateFileOptions {
                overwrite: Some(false),
                // A file that has come to be there meanwhile gets the content on top of its own, which can be undone.
                ignore_if_exists: Some(!profile.refuses_to_create_over),
            };
            let create = CreateFile { uri: file.uri.clone(), options: Some(options), annotation_id: None };
            let create = DocumentChangeOperation::Op(ResourceOp::Create(create));
            if content.is_empty() {
                return vec![create];
            }
            let edit = TextEdit { range: Range::default(), new_text: content.as_str().to_owned() };
            let text_document = OptionalVersionedTextDocumentIdentifier { uri: file.uri.clone(), version: None };
            let edit = TextDocumentEdit { text_document, edits: vec![OneOf::Left(edit)] };
            vec![create, DocumentChangeOperation::Edit(edit)]
        }
        Action::Rename { old, new, .. } => {
            let options = RenameFileOptions { overwrite: Some(false), ignore_if_exists: Some(false) };
            vec![DocumentChangeOperation::Op(ResourceOp::Rename(RenameFile {
                old_uri: old.uri.clone(),
                new_uri: new.uri.clone(),
                options: Some(options),
                annotation_id: None,
            }))]
        }
        Action::Delete { file, .. } => {
            let options = DeleteFileOptions { recursive: Some(false), ignore_if_not_exists: Some(false) };
            vec![DocumentChangeOperation::Op(ResourceOp::Delete(DeleteFile {
                uri: file.uri.clone(),
                options: Some(options),
                annotation_id: None,
            }))]
        }
    }
}

/// What is at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum At {
    Nothing,
    File {
        /// In bytes.
        length: u64,
        /// `None` where it is larger than is read.
        sha256: Option<String>,
        /// `None` where it is no text, too.
        text: Option<Text>,
    },
    /// No regular file, or it cannot be read.
    Other,
}

/// What is at the places of an operation: at its only one, or at the old and the new one.
#[derive(Clone, Debug)]
pub(crate) struct Looked {
    pub at: At,
    pub at_new: At,
}

/// Looks at the disk for all of `operations`.
pub(crate) async fn look(server: &Server, operations: &[FileChange]) -> Vec<Looked> {
    if operations.is_empty() {
        return vec![];
    }
    let (folders, limit) = (server.folders(), server.settings().limits.document_bytes);
    let places: Vec<_> = operations.iter().map(places).collect();
    let count = places.len();
    let work = move || {
        let look = |(at, new): (Place, Option<Place>)| Looked {
            at: look_at(&folders, limit, &at),
            at_new: new.map_or(At::Nothing, |it| look_at(&folders, limit, &it)),
        };
        places.into_iter().map(look).collect()
    };
    let unknown = Looked { at: At::Other, at_new: At::Other };
    beside_the_reader(usize::MAX, work).await.unwrap_or_else(|_| vec![unknown; count])
}

fn places(operation: &FileChange) -> (Place, Option<Place>) {
    match &operation.action {
        Action::Create { file, .. } | Action::Delete { file, .. } => (file.clone(), None),
        Action::Rename { old, new, .. } => (old.clone(), Some(new.clone())),
    }
}

fn look_at(folders: &[PathBuf], limit: usize, place: &Place) -> At {
    let spot = Spot::of(folders, place.uri.as_str()).ok().filter(|it| it.path == place.path);
    let Some(spot) = spot else { return At::Other };
    match spot.there() {
        Ok(There::Nothing) => At::Nothing,
        Ok(There::File { length, .. }) => match spot.bytes(limit) {
            Ok(bytes) => At::File {
                length,
                sha256: bytes.as_deref().map(sha256_of),
                text: bytes.as_deref().and_then(files::document_of),
            },
            Err(_) => At::Other,
        },
        _ => At::Other,
    }
}

/// Whether `operation` still finds what it was planned for.
pub(crate) fn still_holds(state: &State, operation: &FileChange, looked: &Looked) -> bool {
    let is_as_held = |place: &Place, held: &Held| {
        is(&looked.at, held) && state.get(&place.key).map(|it| it.revision) == held.open.map(|it| it.1)
    };
    match &operation.action {
        Action::Create { file, .. } => looked.at == At::Nothing && state.get(&file.key).is_none(),
        Action::Delete { file, held } => is_as_held(file, held),
        Action::Rename { old, new, held } => {
            is_as_held(old, held) && looked.at_new == At::Nothing && state.get(&new.key).is_none()
        }
    }
}

fn is(at: &At, held: &Held) -> bool {
    matches!(at, At::File { length, sha256, .. } if *length == held.length && *sha256 == held.disk_sha256)
}

/// The text that a document is to come to be with, if it is opened; and which.
pub(crate) fn arrival(operation: &FileChange) -> Option<(&Place, &Text)> {
    match &operation.action {
        Action::Create { file, content } => Some((file, content)),
        Action::Rename { new, held, .. } => Some((new, held.text.as_ref()?)),
        Action::Delete { .. } => None,
    }
}

/// Waits until all are done, or for `patience`, and returns what the disk holds then.
pub(crate) async fn settle(
    server: &Server,
    operations: &[FileChange],
    arrivals: &[Option<Expectation>],
    patience: Duration,
) -> Vec<Looked> {
    let end = Instant::now() + patience;
    loop {
        let looked = look(server, operations).await;
        let all = || operations.iter().zip(&looked).zip(arrivals);
        if all().all(|((operation, looked), arrival)| is_done(operation, looked, arrival.as_ref()))
            || Instant::now() >= end
        {
            return looked;
        }
        sleep(EVERY).await;
    }
}

fn is_done(operation: &FileChange, looked: &Looked, arrival: Option<&Expectation>) -> bool {
    let has_arrived = arrival.is_some_and(Expectation::is_reached);
    match &operation.action {
        Action::Create { content, .. } => has_arrived || holds(&looked.at, content),
        Action::Delete { .. } => looked.at == At::Nothing,
        Action::Rename { held, .. } => {
            let is_there = is(&looked.at_new, held) || held.text.as_ref().is_some_and(|it| holds(&looked.at_new, it));
            looked.at == At::Nothing && (has_arrived || is_there)
        }
    }
}

/// Editors may end a file's last line when they write it, and have line breaks of their own.
fn holds(at: &At, expected: &Text) -> bool {
    let At::File { text: Some(text), .. } = at else { return false };
    let expected = files::document(expected.as_str());
    let ended = Text::new(&format!("{}\n", expected.as_str()));
    Comparison::ModuloLineEndings.same(&expected, text) || Comparison::ModuloLineEndings.same(&ended, text)
}

/// What has become of an operation.
pub(crate) fn judge(
    server: &Server,
    operation: &FileChange,
    looked: &Looked,
    arrival: Option<&Expectation>,
    manner: &Manner,
    answer: &Answer,
) -> Found {
    if is_done(operation, looked, arrival) {
        return Found::RESULT;
    }
    let state = match &operation.action {
        Action::Create { file, .. } => {
            let is_open = server.documents.now().get(&file.key).is_some();
            match &looked.at {
                // The editor keeps the text where we cannot see it.
                At::File { text: Some(text), .. } if !is_open && *answer == Answer::Applied => {
                    server.documents.out_of_sight(&file.key, text.clone());
                    if manner.review.is_some() { DivergedState::Unknown } else { DivergedState::Applied }
                }
                At::Nothing if !is_open => DivergedState::NotApplied,
                _ => DivergedState::Different,
            }
        }
        Action::Delete { held, .. } if is(&looked.at, held) => DivergedState::NotApplied,
        Action::Rename { held, .. } if is(&looked.at, held) && looked.at_new == At::Nothing => {
            DivergedState::NotApplied
        }
        _ => DivergedState::Different,
    };
    let may_still_come = state == DivergedState::NotApplied && !answer.is_no() && manner.review.is_none();
    if may_still_come
        && let Action::Delete { file, held } | Action::Rename { old: file, held, .. } = &operation.action
        && let Some((_, revision)) = held.open
    {
        server.documents.unsettle(&file.key, revision);
    }
    Found { state, moved: state == DivergedState::Different }
}

/// What undoes `operation`; `None` where that is not possible, or a person has had a hand in what it made.
pub(crate) async fn inverse(server: &Server, operation: &FileChange) -> Option<FileChange> {
    let looked = look(server, std::slice::from_ref(operation)).await.pop()?;
    let now = |place: &Place| {
        let state = server.documents.now();
        state.get(&place.key).map(|it| (it.text.clone(), (it.version, it.revision)))
    };
    let action = match &operation.action {
        Action::Create { file, content } => {
            let At::File { length, sha256: disk_sha256, text } = looked.at else { return None };
            let open = now(file);
            // Its text may not be saved yet.
            let is_ours = |it: &Text| it == content || it.is_empty();
            if !text.as_ref().is_some_and(is_ours) || open.as_ref().is_some_and(|it| !is_ours(&it.0)) {
                return None;
            }
            let sha256 = Some(sha256(content.as_str()));
            let held = Held { length, disk_sha256, sha256, text, open: open.map(|it| it.1) };
            Action::Delete { file: file.clone(), held }
        }
        Action::Rename { old, new, held } => {
            let At::File { length, sha256: disk_sha256, text } = looked.at_new else { return None };
            let open = now(new);
            if open.as_ref().is_some_and(|it| Some(&it.0) != held.text.as_ref()) {
                return None;
            }
            let held = Held { length, disk_sha256, sha256: held.sha256.clone(), text, open: open.map(|it| it.1) };
            Action::Rename { old: new.clone(), new: old.clone(), held }
        }
        Action::Delete { .. } => return None,
    };
    Some(FileChange { number: operation.number, action })
}
