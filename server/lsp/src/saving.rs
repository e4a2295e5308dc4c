//! Documents saved by the editor after a batch. The disk tells whether they were.

use std::collections::HashMap;

use agent_edit_engine::Text;
use tokio::time::timeout;

use crate::apply::Change;
use crate::documents::OpenDocument;
use crate::expectation::Comparison;
use crate::files;
use crate::planning::beside_the_reader;
use crate::protocol::{DocumentResult, Save, SaveParams, VersionedIdentifier, Warning};
use crate::server::Server;
use crate::uri_key::{UriKey, file_path_of};

/// Has the editor save what `changes` are about, and says of each document in `results` whether it did. That it is not
/// saved, or is another text since, is a warning: the batch is applied all the same.
pub(crate) async fn save(server: &Server, changes: &[Change], results: &mut [DocumentResult]) {
    let open = |it: &Change| server.documents.now().get(&it.seen.key).cloned();
    let identifier = |it: &Change| {
        let open = open(it);
        let uri = open.as_ref().map_or(&it.seen.uri, |it| &it.uri).as_str().to_owned();
        VersionedIdentifier { uri, version: open.map(|it| it.version) }
    };
    let params = SaveParams { text_documents: changes.iter().map(identifier).collect() };
    let request = timeout(server.profile().timeouts.answer, server.client.send_request::<Save>(params));
    let (said, why) = match request.await {
        Ok(Ok(answer)) => (answer.saved, "the editor did not save it".to_owned()),
        Ok(Err(error)) => (vec![], format!("the editor failed: {}", error.message)),
        Err(_) => (vec![], "the editor did not answer in time".to_owned()),
    };
    let on_disk = on_disk(server, changes).await;
    let mut found = HashMap::new();
    for (at, (change, disk)) in changes.iter().zip(on_disk).enumerate() {
        let now = open(change);
        let said = said.get(at).copied().unwrap_or(false);
        found.insert(change.seen.key.clone(), (is_saved(change, now.as_ref(), disk, said), differs(change, now)));
    }
    for result in results {
        let Some((saved, differs)) = found.get(&UriKey::of(&result.text_document.uri)) else { continue };
        result.saved = Some(*saved);
        let warning = |code, message: String| Warning { edit: 0, code, message: message.into() };
        if !saved {
            result.warnings.push(warning("not-saved", why.clone()));
        }
        if *differs {
            let message = "the text changed when it was saved; sha256 is that of the batch's own result".to_owned();
            result.warnings.push(warning("changed-on-save", message));
        }
    }
}

/// What has no file is saved if the editor says so.
fn is_saved(change: &Change, now: Option<&OpenDocument>, on_disk: Option<Text>, said: bool) -> bool {
    let text = now.map_or(&change.result, |it| &it.text);
    match on_disk {
        Some(disk) => Comparison::ModuloLineEndings.same(&bare(text), &bare(&disk)),
        None => said && file_path_of(change.seen.uri.as_str()).is_none(),
    }
}

fn differs(change: &Change, now: Option<OpenDocument>) -> bool {
    now.is_some_and(|it| !Comparison::ModuloLineEndings.same(&bare(&it.text), &bare(&change.result)))
}

/// An editor may keep the byte order mark to itself.
fn bare(text: &Text) -> Text {
    match text.as_str().strip_prefix('\u{feff}') {
        Some(rest) => Text::new(rest),
        None => text.clone(),
    }
}

async fn on_disk(server: &Server, changes: &[Change]) -> Vec<Option<Text>> {
    let (folders, limit) = (server.folders(), server.settings().limits.document_bytes);
    let uris: Vec<_> = changes.iter().map(|it| it.seen.uri.as_str().to_owned()).collect();
    let none = vec![None; uris.len()];
    let read = move |uri: &String| files::read(&folders, uri, limit).ok().map(|it| Text::new(&it.text));
    beside_the_reader(usize::MAX, move || uris.iter().map(read).collect()).await.unwrap_or(none)
}
