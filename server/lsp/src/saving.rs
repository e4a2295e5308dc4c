//! Documents saved by the editor after a batch. The disk tells whether they were.

use std::time::Duration;

use agent_edit_engine::Text;
use tokio::time::{Instant, sleep, timeout};
use tower_lsp::ls_types::Uri;

use crate::apply::Change;
use crate::documents::OpenDocument;
use crate::expectation::Comparison;
use crate::files;
use crate::operations::{Action, FileChange};
use crate::planning::beside_the_reader;
use crate::protocol::{DocumentResult, Save, SaveParams, SaveResult, VersionedIdentifier, Warning};
use crate::server::Server;
use crate::uri_key::{UriKey, file_path_of};

/// How often the disk is looked at while a document is waited for.
const EVERY: Duration = Duration::from_millis(25);

/// A document that is to be saved.
#[derive(Clone, Debug)]
struct Target {
    uri: Uri,
    key: UriKey,
    /// What the batch has made of it.
    result: Text,
}

/// What is known of one.
struct Known {
    /// As it is open, if it is.
    now: Option<OpenDocument>,
    /// What the file holds, where it can be read.
    on_disk: Option<Text>,
}

/// Has the editor save the documents of a batch, files that it has created among them, and says of each in `results`
/// whether it did. That one is not saved, or is another text since, is a warning: the batch is applied all the same.
pub(crate) async fn save(
    server: &Server,
    changes: &[Change],
    operations: &[FileChange],
    results: &mut [DocumentResult],
) {
    let targets = targets(changes, operations);
    if targets.is_empty() {
        return;
    }
    let (said, why) = match ask(server, &targets).await {
        Ok(answer) => (answer.saved, "the editor did not save it".to_owned()),
        Err(why) => (vec![], why),
    };
    let said = |at: usize| said.get(at).copied().unwrap_or(false);
    let known = settle(server, &targets, &said).await;
    for (at, (target, known)) in targets.iter().zip(&known).enumerate() {
        let result = results.iter_mut().find(|it| UriKey::of(&it.text_document.uri) == target.key);
        let Some(result) = result else { continue };
        let saved = is_saved(target, known, said(at));
        result.saved = Some(saved);
        if !saved {
            let why = if said(at) { "the editor said so, and the file does not hold it" } else { &why };
            result.warnings.push(Warning { edit: None, code: "not-saved", message: why.to_owned().into() });
        }
        if known.now.as_ref().is_some_and(|it| !same(&it.text, &target.result)) {
            let message = "the text changed when it was saved; sha256 is that of the batch's own result".into();
            result.warnings.push(Warning { edit: None, code: "changed-on-save", message });
        }
    }
}

fn targets(changes: &[Change], operations: &[FileChange]) -> Vec<Target> {
    let changed = changes.iter().map(|it| Target {
        uri: it.seen.uri.clone(),
        key: it.seen.key.clone(),
        result: it.result.clone(),
    });
    let created = operations.iter().filter_map(|it| match &it.action {
        Action::Create { file, content } => {
            Some(Target { uri: file.uri.clone(), key: file.key.clone(), result: content.clone() })
        }
        // These are on the disk.
        Action::Rename { .. } | Action::Delete { .. } => None,
    });
    changed.chain(created).collect()
}

async fn ask(server: &Server, targets: &[Target]) -> Result<SaveResult, String> {
    let identifier = |it: &Target| {
        let open = open(server, it);
        let uri = open.as_ref().map_or(&it.uri, |it| &it.uri).as_str().to_owned();
        VersionedIdentifier { uri, version: open.map(|it| it.version) }
    };
    let params = SaveParams { text_documents: targets.iter().map(identifier).collect() };
    let request = timeout(server.profile().timeouts.answer, server.client.send_request::<Save>(params));
    match request.await {
        Ok(answer) => answer.map_err(|error| format!("the editor failed: {}", error.message)),
        Err(_) => Err("the editor did not answer in time".to_owned()),
    }
}

fn open(server: &Server, target: &Target) -> Option<OpenDocument> {
    server.documents.now().get(&target.key).cloned()
}

/// Waits until all that the editor said it has saved is seen to be so, and no longer than for any other result: what it
/// tells of a text that was formatted may come after its answer.
async fn settle(server: &Server, targets: &[Target], said: &impl Fn(usize) -> bool) -> Vec<Known> {
    let end = Instant::now() + server.profile().timeouts.settle;
    loop {
        let on_disk = on_disk(server, targets).await;
        let known = targets.iter().zip(on_disk).map(|(it, on_disk)| Known { now: open(server, it), on_disk });
        let known: Vec<_> = known.collect();
        let is_decided = |(at, it): (usize, &Known)| !said(at) || is_saved(&targets[at], it, true);
        if known.iter().enumerate().all(is_decided) || Instant::now() >= end {
            return known;
        }
        sleep(EVERY).await;
    }
}

/// Where there is a file that cannot be read, as outside of the workspace, the editor has to tell that it saved it as it
/// is; where there is none, its answer is all there is.
fn is_saved(target: &Target, known: &Known, said: bool) -> bool {
    let told = known.now.as_ref().is_some_and(|it| it.saved == Some(it.revision));
    match &known.on_disk {
        Some(on_disk) => same(known.now.as_ref().map_or(&target.result, |it| &it.text), on_disk),
        None => told || (said && file_path_of(target.uri.as_str()).is_none()),
    }
}

/// An editor may keep the byte order mark to itself.
fn same(one: &Text, other: &Text) -> bool {
    let bare = |it: &Text| files::document(it.as_str());
    Comparison::ModuloLineEndings.same(&bare(one), &bare(other))
}

async fn on_disk(server: &Server, targets: &[Target]) -> Vec<Option<Text>> {
    let (folders, limit) = (server.folders(), server.settings().limits.document_bytes);
    let uris: Vec<_> = targets.iter().map(|it| it.uri.as_str().to_owned()).collect();
    let none = vec![None; uris.len()];
    let read = move |uri: &String| files::read(&folders, uri, limit).ok().map(|it| Text::new(it.document()));
    beside_the_reader(usize::MAX, move || uris.iter().map(read).collect()).await.unwrap_or(none)
}
