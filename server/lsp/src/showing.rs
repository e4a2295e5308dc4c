//! A diff shown to the person, in whichever way the editor has.

use std::fs;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tempfile::TempDir;
use tokio::time::timeout;
use tower_lsp::ls_types::{MessageType, ShowDocumentParams};
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

/// The files with diffs: in a folder that only this person can read, and that is gone when the server is.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShownFiles(Arc<Mutex<Option<TempDir>>>);

impl ShownFiles {
    fn write(&self, name: &str, diff: &str) -> io::Result<tower_lsp::ls_types::Uri> {
        let mut folder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = match &mut *folder {
            Some(folder) => folder,
            none => none.insert(tempfile::Builder::new().prefix("agent-edit-").tempdir()?),
        };
        let path = folder.path().join(format!("{name}.diff"));
        fs::write(&path, diff)?;
        let unnamed = || io::Error::other("the folder for temporary files has no URI");
        Url::from_file_path(path).ok().and_then(|it| it.as_str().parse().ok()).ok_or_else(unnamed)
    }

    /// Removes them all. What cannot be removed stays for the system to clean up.
    pub(crate) fn remove(&self) {
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}
