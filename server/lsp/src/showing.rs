//! A diff shown to the person, in whichever way the editor has.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tempfile::TempDir;
use tokio::time::timeout;
use tower_lsp::ls_types::{MessageType, ShowDocumentParams, Uri};
use url::Url;

use crate::capabilities::Shows;
use crate::protocol::{ShowEdit, ShowEditParams};
use crate::server::Server;

/// How much of a diff stands in a message, in characters.
const IN_MESSAGE: usize = 2_000;

/// How long the editor has for opening it.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is to be shown.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// The two sides.
    pub sides: ShowEditParams,
    /// The whole as a unified diff.
    pub diff: String,
}

/// Shows it: as a message where the editor cannot do better.
///
/// `name` is what a file with the diff is called, without its ending.
pub(crate) async fn show(server: &Server, shown: &Shown, name: &str) {
    let opened = async {
        match server.profile().shows {
            Shows::Itself => server.client.send_request::<ShowEdit>(shown.sides.clone()).await.is_ok(),
            Shows::File => show_file(server, shown, name).await,
            Shows::Message => false,
        }
    };
    if timeout(PATIENCE, opened).await.unwrap_or(false) {
        return;
    }
    let diff = match shown.diff.char_indices().nth(IN_MESSAGE) {
        Some((at, _)) => format!("{}\u{2026}", &shown.diff[..at]),
        None => shown.diff.clone(),
    };
    server.client.show_message(MessageType::INFO, format!("{}\n\n{diff}", shown.sides.title)).await;
}

async fn show_file(server: &Server, shown: &Shown, name: &str) -> bool {
    let Ok(uri) = server.shown_files.write(name, &shown.diff) else { return false };
    let params = ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: None };
    server.client.show_document(params).await.unwrap_or(false)
}

/// The scheme of diffs that are documents without a file.
pub(crate) const SCHEME: &str = "agent-edit";

/// How many of those are kept: the last ones.
const KEPT: usize = 100;

/// The diffs that were shown as documents: without a file where the editor shows such, else as files in a folder that only
/// this person can read and that is gone when the server is.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShownFiles(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    folder: Option<TempDir>,
    /// By URI, the oldest first; `None`: the editor has no documents without a file.
    virtual_texts: Option<VecDeque<(String, String)>>,
}

impl ShownFiles {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From here on, diffs have no files.
    pub(crate) fn can_be_virtual(&self) {
        self.state().virtual_texts.get_or_insert_default();
    }

    /// The text of a document without a file.
    pub(crate) fn virtual_text(&self, uri: &str) -> Option<String> {
        let state = self.state();
        state.virtual_texts.as_ref()?.iter().rev().find(|it| it.0 == uri).map(|it| it.1.clone())
    }

    fn write(&self, name: &str, diff: &str) -> io::Result<Uri> {
        let unnamed = || io::Error::other("the folder for temporary files has no URI");
        let mut state = self.state();
        if let Some(texts) = &mut state.virtual_texts {
            let uri = format!("{SCHEME}:/{name}.diff");
            texts.retain(|it| it.0 != uri);
            texts.push_back((uri.clone(), diff.to_owned()));
            texts.drain(..texts.len().saturating_sub(KEPT));
            return uri.parse().map_err(|_| unnamed());
        }
        let folder = match &mut state.folder {
            Some(folder) => folder,
            none => none.insert(tempfile::Builder::new().prefix("agent-edit-").tempdir()?),
        };
        let path = folder.path().join(format!("{name}.diff"));
        fs::write(&path, diff)?;
        Url::from_file_path(path).ok().and_then(|it| it.as_str().parse().ok()).ok_or_else(unnamed)
    }

    /// Removes the files. What cannot be removed stays for the system to clean up.
    pub(crate) fn remove(&self) {
        drop(self.state().folder.take());
    }
}
