//! Everything that can be known against an operation, before anything happens.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_edit_engine::{Edit, FindReplace, Text};

use super::{Action, FileChange, Held, Named, Operation, Place, What};
use crate::batch::{Batch, BatchDocument, Mode};
use crate::documents::{Condition, OpenDocument};
use crate::expectation::Comparison;
use crate::files::{self, Spot, There};
use crate::planning::beside_the_reader;
use crate::protocol::{Fence, StaleDocument};
use crate::refusal::{DocumentProblem, Refusal};
use crate::server::Server;
use crate::snapshot::{name, sha256, sha256_of};
use crate::uri_key::UriKey;

/// What the operations of `batch` come to, all of them possible. One that gives a file that is there a new content is an
/// edit of its text, which keeps its fences and can be undone: it joins the documents of the batch.
pub(crate) async fn examine(server: &Server, batch: &mut Batch) -> Result<Vec<FileChange>, Refusal> {
    if batch.operations.is_empty() {
        return Ok(vec![]);
    }
    let examiner = Examiner::of(server);
    let looked_at = batch.clone();
    let (mut changes, mut rewritten) = (vec![], vec![]);
    for found in beside_the_reader(usize::MAX, move || examiner.all(&looked_at)).await?? {
        match found {
            Found::Change(change) => changes.push(*change),
            Found::Rewritten(document) => rewritten.push(document),
        }
    }
    if batch.mode != Mode::Preview {
        changes.iter().try_for_each(|it| is_taken(server, it))?;
    }
    batch.documents.extend(rewritten);
    batch.documents.sort_by_key(|it| it.number);
    Ok(changes)
}

/// Refuses what the editor does not announce to do.
fn is_taken(server: &Server, change: &FileChange) -> Result<(), Refusal> {
    let operations = server.profile().operations;
    let is_taken = match change.action {
        Action::Create { .. } => operations.create,
        Action::Delete { .. } => operations.delete,
        Action::Rename { .. } => operations.rename,
    };
    if is_taken && server.profile().applies_edits {
        return Ok(());
    }
    let kind = change.kind();
    let reason = format!("this editor does not {kind} files: it does not announce `{kind}` in resourceOperations");
    Err(Refusal::NotApplied { reason, uri: Some(change.place().uri.as_str().to_owned()) })
}

enum Found {
    Change(Box<FileChange>),
    /// Its text is replaced as a whole.
    Rewritten(BatchDocument),
}

/// What the editor has open, and where files may be: at one moment.
struct Examiner {
    folders: Vec<PathBuf>,
    document_bytes: usize,
    comparison: Comparison,
    open: Vec<Open>,
    unseen: Vec<(UriKey, Text)>,
}

struct Open {
    key: UriKey,
    document: OpenDocument,
    /// Where its file is or would be.
    path: Option<PathBuf>,
}

impl Examiner {
    fn of(server: &Server) -> Self {
        let folders = server.folders();
        let state = server.documents.now();
        let open = |(key, it): (&UriKey, &OpenDocument)| Open { key: key.clone(), document: it.clone(), path: None };
        Self {
            document_bytes: server.settings().limits.document_bytes,
            comparison: match server.profile().normalizes_line_endings {
                true => Comparison::ModuloLineEndings,
                false => Comparison::Exact,
            },
            open: state.all().map(open).collect(),
            unseen: state.all_unseen().map(|(key, text)| (key.clone(), text.clone())).collect(),
            folders,
        }
    }

    fn all(mut self, batch: &Batch) -> Result<Vec<Found>, Refusal> {
        for it in &mut self.open {
            it.path = path_of(&self.folders, it.document.uri.as_str());
        }
        let mut paths: Vec<(usize, PathBuf)> = vec![];
        for it in &batch.documents {
            paths.extend(path_of(&self.folders, &it.uri).map(|path| (it.number, path)));
        }
        let mut found = vec![];
        for operation in &batch.operations {
            for named in operation.named() {
                let spot = self.spot(named)?;
                // One that gives a link's file a new content is about that file.
                let path = files::resolve(named.uri.as_str()).unwrap_or(spot.path);
                apart(&paths, operation.number, &path)?;
                paths.push((operation.number, path));
            }
            found.push(self.one(operation)?);
        }
        Ok(found)
    }

    fn one(&self, operation: &Operation) -> Result<Found, Refusal> {
        let action = match &operation.what {
            What::Create { file, content, overwrite } => {
                if *overwrite && let Some(before) = self.text_there(file)? {
                    return Ok(Found::Rewritten(rewritten(operation.number, file, &before, content)));
                }
                Action::Create { file: self.vacant(file)?, content: Text::new(content) }
            }
            What::Delete { file, base_sha256 } => {
                let (file, held) = self.held(file, base_sha256.as_ref())?;
                Action::Delete { file, held }
            }
            What::Rename { old, new, base_sha256 } => {
                let (old, held) = self.held(old, base_sha256.as_ref())?;
                Action::Rename { old, held, new: self.vacant(new)? }
            }
        };
        Ok(Found::Change(Box::new(FileChange { number: operation.number, action })))
    }

    fn spot(&self, named: &Named) -> Result<Spot, Refusal> {
        Spot::of(&self.folders, named.uri.as_str()).map_err(|it| problem(named, it))
    }

    fn place(&self, named: &Named, spot: Spot) -> Place {
        let uri = self.open_at(&named.key).map_or(&named.uri, |it| &it.document.uri).clone();
        Place { name: name(&self.folders, uri.as_str()), uri, key: named.key.clone(), path: spot.path }
    }

    fn open_at(&self, key: &UriKey) -> Option<&Open> {
        self.open.iter().find(|it| it.key == *key)
    }

    /// The open document of the file at `path`, under whatever name.
    fn open_as(&self, path: &Path) -> Option<&Open> {
        self.open.iter().find(|it| it.path.as_deref() == Some(path))
    }

    /// The text that a new content is to replace: that of the open document, else of the file.
    fn text_there(&self, named: &Named) -> Result<Option<Text>, Refusal> {
        if let Some(open) = self.open_at(&named.key) {
            return Ok(Some(open.document.text.clone()));
        }
        match self.spot(named)?.there().map_err(|it| problem(named, it))? {
            There::Nothing => Ok(None),
            // What is no text of the workspace is refused where it is read.
            _ => Ok(Some(Text::new(files::read(&self.folders, named.uri.as_str(), self.document_bytes)?.document()))),
        }
    }

    /// A place at which nothing is, neither on the disk nor in the editor.
    fn vacant(&self, named: &Named) -> Result<Place, Refusal> {
        let spot = self.spot(named)?;
        let refused = |it| Err(problem(named, it));
        match spot.there().map_err(|it| problem(named, it))? {
            There::Nothing => {}
            There::File { .. } => return refused(DocumentProblem::Exists("there is such a file")),
            There::Link => return refused(DocumentProblem::Exists("a link is there")),
            There::Other => return refused(DocumentProblem::Exists("a folder or a special file is there")),
        }
        if self.open_at(&named.key).is_some() || self.open_as(&spot.path).is_some() {
            return refused(DocumentProblem::Exists("it is open in the editor, and was never saved"));
        }
        spot.can_change().map_err(|it| problem(named, it))?;
        Ok(self.place(named, spot))
    }

    /// A regular file whose loss or move takes nothing from the person.
    fn held(&self, named: &Named, base_sha256: Option<&String>) -> Result<(Place, Held), Refusal> {
        let spot = self.spot(named)?;
        let refused = |it| problem(named, it);
        let length = match spot.there().map_err(refused)? {
            There::File { read_only: true, .. } => return Err(refused(DocumentProblem::ReadOnly("it is read-only"))),
            There::File { length, .. } => length,
            There::Nothing if self.open_at(&named.key).is_some() => {
                return Err(kept(named, "it is open in the editor, and was never saved".to_owned()));
            }
            There::Nothing => return Err(refused(DocumentProblem::NotFound("there is no such file"))),
            There::Link => return Err(refused(DocumentProblem::NotAFile("it is a link: name the file itself"))),
            There::Other => return Err(refused(DocumentProblem::NotAFile("it is not a regular file"))),
        };
        spot.can_change().map_err(refused)?;
        let bytes = spot.bytes(self.document_bytes).map_err(refused)?;
        let text = bytes.as_deref().and_then(files::document_of);
        let mut held = Held {
            length,
            disk_sha256: bytes.as_deref().map(sha256_of),
            sha256: bytes.as_deref().map(sha256_of),
            text,
            open: None,
        };
        self.keeps_nothing_unsaved(named, &spot, &mut held)?;
        fence(named, base_sha256, &held)?;
        Ok((self.place(named, spot), held))
    }

    /// Refuses a file of which the editor holds what the disk does not.
    fn keeps_nothing_unsaved(&self, named: &Named, spot: &Spot, held: &mut Held) -> Result<(), Refusal> {
        if let Some(unseen) = self.unseen.iter().find(|it| it.0 == named.key)
            && held.text.as_ref() == Some(&unseen.1)
        {
            let reason = "the editor may keep it changed and unsaved where that cannot be seen; open or save it";
            return Err(kept(named, reason.to_owned()));
        }
        let Some(open) = self.open_at(&named.key).or_else(|| self.open_as(&spot.path)) else { return Ok(()) };
        if open.key != named.key {
            let reason = format!("it is the same file as {}, which is open: name that", open.document.uri.as_str());
            return Err(kept(named, reason));
        }
        if open.document.condition != Condition::Good {
            return Err(kept(named, "what the editor has of it is not known; open it again".to_owned()));
        }
        if !held.text.as_ref().is_some_and(|it| self.is_saved(it, &open.document.text)) {
            return Err(kept(named, "it has unsaved changes in the editor, which would be lost".to_owned()));
        }
        held.sha256 = Some(sha256(open.document.text.as_str()));
        held.open = Some((open.document.version, open.document.revision));
        Ok(())
    }

    fn is_saved(&self, on_disk: &Text, open: &Text) -> bool {
        self.comparison.same(on_disk, &files::document(open.as_str()))
    }
}

fn path_of(folders: &[PathBuf], uri: &str) -> Option<PathBuf> {
    files::resolve(uri).ok().or_else(|| Some(Spot::of(folders, uri).ok()?.path))
}

/// Refuses a path that another entry is about too, or that would have to be a folder for one of the two.
fn apart(paths: &[(usize, PathBuf)], number: usize, path: &Path) -> Result<(), Refusal> {
    let is_in_the_way = |other: &Path| path.starts_with(other) || other.starts_with(path);
    match paths.iter().find(|it| is_in_the_way(&it.1)) {
        Some((first, _)) => Err(Refusal::InvalidParams(format!(
            "documents[{number}]: the same file as documents[{first}], or one in the way of the other, once links are \
             resolved; a batch has one entry for each"
        ))),
        None => Ok(()),
    }
}

/// The edit that makes `content` of `before`. A byte order mark stays, and takes no part.
fn rewritten(number: usize, file: &Named, before: &Text, content: &str) -> BatchDocument {
    let old_text = files::without_mark(before.as_str()).to_owned();
    let new_text = files::without_mark(content).to_owned();
    let edit = Edit::FindReplace(FindReplace { old_text, new_text, ..FindReplace::default() });
    BatchDocument {
        number,
        uri: file.uri.as_str().to_owned(),
        key: file.key.clone(),
        version: None,
        base_sha256: None,
        edits: Arc::new([edit]),
    }
}

fn fence(named: &Named, expected: Option<&String>, held: &Held) -> Result<(), Refusal> {
    let actual = held.sha256.clone().unwrap_or_else(|| "larger than is read".to_owned());
    match expected.filter(|&it| *it != actual) {
        Some(expected) => Err(Refusal::StaleBase(vec![StaleDocument {
            uri: named.uri.as_str().to_owned(),
            version: None,
            base_sha256: Some(Fence { expected: expected.clone(), actual }),
        }])),
        None => Ok(()),
    }
}

fn problem(named: &Named, problem: DocumentProblem) -> Refusal {
    Refusal::Document { uri: named.uri.as_str().to_owned(), problem }
}

/// The person would lose something.
fn kept(named: &Named, reason: String) -> Refusal {
    Refusal::NotApplied { reason, uri: Some(named.uri.as_str().to_owned()) }
}

impl Operation {
    fn named(&self) -> Vec<&Named> {
        match &self.what {
            What::Create { file, .. } | What::Delete { file, .. } => vec![file],
            What::Rename { old, new, .. } => vec![old, new],
        }
    }
}
