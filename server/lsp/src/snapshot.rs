//! The documents of a batch at one moment: the open ones as the editor has them, the others as they are on disk.

use std::path::PathBuf;
use std::sync::Arc;

use agent_edit_engine::{Document, Edit, Text};
use sha2::{Digest, Sha256};
use tower_lsp::ls_types::Uri;

use crate::batch::{Batch, BatchDocument};
use crate::documents::{Condition, OpenDocument, Revision};
use crate::files;
use crate::planning::beside_the_reader;
use crate::protocol::{Fence, StaleDocument};
use crate::refusal::Refusal;
use crate::server::Server;
use crate::uri_key::{UriKey, file_path_of};

/// One document at that moment.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// As the editor spells it, where it has it open.
    pub uri: Uri,
    /// As it is looked up.
    pub key: UriKey,
    /// How people and agents name it: its way from the workspace folder.
    pub name: String,
    /// What it held.
    pub text: Text,
    /// Where that comes from.
    pub origin: Origin,
}

/// Where a document was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The editor has it open.
    Open { version: i32, revision: Revision },
    /// The file.
    File,
}

impl Seen {
    /// The client's count, where it has one.
    pub(crate) fn version(&self) -> Option<i32> {
        match self.origin {
            Origin::Open { version, .. } => Some(version),
            Origin::File => None,
        }
    }

    /// The moment it was seen at, where it is open.
    pub(crate) fn revision(&self) -> Option<Revision> {
        match self.origin {
            Origin::Open { revision, .. } => Some(revision),
            Origin::File => None,
        }
    }
}

/// The documents of `batch` now, with its fences checked; in its order. Does not yield where all of them are open.
pub(crate) async fn of_batch(server: &Server, batch: &Batch) -> Result<Vec<Seen>, Refusal> {
    let wanted = batch.documents.iter().map(|it| (it.uri.clone(), it.key.clone())).collect();
    let seen = of(server, wanted).await?;
    let documents = batch.documents.clone();
    let bytes = if documents.iter().any(|it| it.base_sha256.is_some()) { bytes(&seen) } else { 0 };
    beside_the_reader(bytes, move || {
        let stale: Vec<_> = documents.iter().zip(&seen).filter_map(|(it, seen)| stale(it, seen)).collect();
        if stale.is_empty() { Ok(seen) } else { Err(Refusal::StaleBase(stale)) }
    })
    .await?
}

/// These documents now, in their order.
pub(crate) async fn of(server: &Server, wanted: Vec<(String, UriKey)>) -> Result<Vec<Seen>, Refusal> {
    // All of the open ones under one lock, so that they are of one moment; the files only then, without it.
    let known = {
        let state = server.documents.now();
        let open = |key| state.get(key).cloned();
        Known {
            open: wanted.iter().map(|(_, key)| open(key)).collect(),
            unseen: wanted.iter().map(|(_, key)| state.unseen(key).cloned()).collect(),
            open_uris: state.all().map(|it| it.1.uri.clone()).collect(),
        }
    };
    let bounds = Bounds::of(server);
    // Files are on disks that may be slow or far away.
    let bytes = if known.open.iter().all(Option::is_some) { 0 } else { usize::MAX };
    beside_the_reader(bytes, move || all_of(&bounds, wanted, known)).await?
}

/// How many other documents are looked into, and how much text they may be together, in bytes.
const BESIDE: usize = 50;
const BESIDE_BYTES: usize = 4 << 20;

/// Other open documents, where what is missing in `seen` may stand: so many that it takes no time to speak of.
pub(crate) fn beside(server: &Server, seen: &[Seen]) -> Vec<Seen> {
    let bounds = Bounds::of(server);
    let state = server.documents.now();
    let mut others: Vec<_> = state.all().filter(|(key, _)| !seen.iter().any(|it| it.key == **key)).collect();
    // The first by name, without sorting all the others: there may be thousands, and every batch comes by here.
    if others.len() > BESIDE {
        others.select_nth_unstable_by_key(BESIDE, |(_, it)| it.uri.as_str());
        others.truncate(BESIDE);
    }
    others.sort_unstable_by_key(|(_, it)| it.uri.as_str());
    let mut bytes = 0;
    let others = others.into_iter().filter_map(|(key, it)| {
        let other = of_open(&bounds, it.uri.as_str(), key.clone(), it.clone()).ok()?;
        bytes += other.text.len().0;
        (bytes <= BESIDE_BYTES).then_some(other)
    });
    others.collect()
}

/// Where documents that are not open are read from, and how large any may be, in bytes.
struct Bounds {
    folders: Vec<PathBuf>,
    document_bytes: usize,
}

impl Bounds {
    fn of(server: &Server) -> Self {
        Self { folders: server.folders(), document_bytes: server.settings().limits.document_bytes }
    }
}

/// What is known of the wanted documents at one moment.
struct Known {
    open: Vec<Option<OpenDocument>>,
    unseen: Vec<Option<Text>>,
    open_uris: Vec<Uri>,
}

fn all_of(bounds: &Bounds, wanted: Vec<(String, UriKey)>, known: Known) -> Result<Vec<Seen>, Refusal> {
    let mut seen: Vec<Seen> = Vec::with_capacity(wanted.len());
    let mut paths: Vec<PathBuf> = vec![];
    for (((uri, key), open), unseen) in wanted.into_iter().zip(known.open).zip(known.unseen) {
        let Some(document) = open else {
            let (document, path) = of_file(bounds, &uri, key, &known.open_uris)?;
            if paths.contains(&path) {
                let message = format!("documents: {uri} is the same file as another document of the batch");
                return Err(Refusal::InvalidParams(message));
            }
            if unseen.is_some_and(|it| it == document.text) {
                let reason = "the editor may keep it changed and unsaved where that cannot be seen; open or save it";
                return Err(Refusal::NotApplied { reason: reason.to_owned(), uri: Some(uri) });
            }
            paths.push(path);
            seen.push(document);
            continue;
        };
        seen.push(of_open(bounds, &uri, key, document)?);
    }
    Ok(seen)
}

/// How much text that is, in bytes.
pub(crate) fn bytes(seen: &[Seen]) -> usize {
    seen.iter().map(|it| it.text.len().0).sum()
}

/// The same documents as the engine takes them, with the edits for each.
pub(crate) fn for_engine<'a>(seen: &'a [Seen], edits: &'a [Arc<[Edit]>]) -> Vec<Document<'a>> {
    seen.iter().zip(edits).map(|(it, edits)| Document { name: &it.name, text: &it.text, edits }).collect()
}

fn of_open(bounds: &Bounds, uri: &str, key: UriKey, document: OpenDocument) -> Result<Seen, Refusal> {
    let refused = |reason: String| Refusal::NotApplied { reason, uri: Some(uri.to_owned()) };
    match document.condition {
        Condition::Good => {}
        Condition::Lost(reason) => {
            let reason = format!("what the editor has of it is not known ({reason}); open it again");
            return Err(refused(reason));
        }
        Condition::Unsettled => {
            let reason = "the editor has not shown what became of the batch before; change it, or open it again";
            return Err(refused(reason.to_owned()));
        }
    }
    if document.text.len().0 > bounds.document_bytes {
        return Err(files::too_large(uri, document.text.len().0, bounds.document_bytes));
    }
    Ok(Seen {
        name: name(&bounds.folders, document.uri.as_str()),
        uri: document.uri,
        key,
        text: document.text,
        origin: Origin::Open { version: document.version, revision: document.revision },
    })
}

fn of_file(bounds: &Bounds, uri: &str, key: UriKey, open: &[Uri]) -> Result<(Seen, PathBuf), Refusal> {
    let file = files::read(&bounds.folders, uri, bounds.document_bytes)?;
    // A link to a file that is open with unsaved text: its own URI leads to that text, this one would go behind it.
    if let Some(other) = open.iter().find(|it| files::resolve(it.as_str()).is_ok_and(|path| path == file.path)) {
        let reason = format!("it is the same file as {}, which is open: name that", other.as_str());
        return Err(Refusal::NotApplied { reason, uri: Some(uri.to_owned()) });
    }
    let seen = Seen {
        uri: uri.parse().expect("from_proto lets no other URI through"),
        key,
        name: name(&bounds.folders, uri),
        text: Text::new(file.document()),
        origin: Origin::File,
    };
    Ok((seen, file.path))
}

/// The way from the workspace folder, else the whole path, else the URI.
pub(crate) fn name(folders: &[PathBuf], uri: &str) -> String {
    let Some(path) = file_path_of(uri) else { return uri.to_owned() };
    let inside = folders.iter().filter_map(|it| path.strip_prefix(it).ok()).min_by_key(|it| it.as_os_str().len());
    inside.unwrap_or(&path).components().collect::<PathBuf>().display().to_string().replace('\\', "/")
}

/// What does not hold of the fences of `document`.
fn stale(document: &BatchDocument, seen: &Seen) -> Option<StaleDocument> {
    let version = document.version.filter(|&it| Some(it) != seen.version());
    let sha256 = document.base_sha256.as_ref().map(|expected| (expected, sha256(seen.text.as_str())));
    let sha256 = sha256.filter(|(expected, actual)| *expected != actual);
    (version.is_some() || sha256.is_some()).then(|| StaleDocument {
        uri: document.uri.clone(),
        version: version.map(|it| Fence { expected: Some(it), actual: seen.version() }),
        base_sha256: sha256.map(|(expected, actual)| Fence { expected: expected.clone(), actual }),
    })
}

/// The hash of the UTF-8 bytes of `text`, in lower-case hex.
pub(crate) fn sha256(text: &str) -> String {
    sha256_of(text.as_bytes())
}

/// The same of any bytes.
pub(crate) fn sha256_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
