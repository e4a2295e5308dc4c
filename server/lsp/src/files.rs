//! Documents that are not open: read from the workspace folders, and from nowhere else.

mod spot;

use std::io::Read;
use std::path::{Path, PathBuf};

use agent_edit_engine::Text;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::refusal::{DocumentProblem, Refusal};
use crate::uri_key::file_path_of;

pub(crate) use self::spot::{Spot, There};

/// A file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    /// Where it is once links are resolved.
    pub path: PathBuf,
    /// What it holds, a byte order mark included.
    pub text: String,
}

impl File {
    /// The document an editor makes of it: a byte order mark is kept beside the text, and no column is counted for it.
    pub(crate) fn document(&self) -> &str {
        without_mark(&self.text)
    }
}

/// `text` without a byte order mark in front.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The document an editor makes of a file that holds `text`.
pub(crate) fn document(text: &str) -> Text {
    Text::new(without_mark(text))
}

/// The same of a file that holds `bytes`, if these are a text.
pub(crate) fn document_of(bytes: &[u8]) -> Option<Text> {
    std::str::from_utf8(bytes).ok().map(document)
}

/// Reads the file that `uri` names, of at most `limit` bytes.
pub(crate) fn read(folders: &[PathBuf], uri: &str, limit: usize) -> Result<File, Refusal> {
    let problem = |problem| Refusal::Document { uri: uri.to_owned(), problem };
    let path = resolve(uri).map_err(problem)?;
    let (folder, inside) = containing(folders, &path).map_err(problem)?;
    let bytes = bytes_of(&folder, &inside, limit).map_err(problem)?;
    if bytes.len() > limit {
        return Err(too_large(uri, bytes.len(), limit));
    }
    let text = String::from_utf8(bytes).map_err(|_| problem(DocumentProblem::NotUtf8))?;
    Ok(File { path, text })
}

/// The refusal of a document of `actual` bytes, where `limit` are accepted.
pub(crate) fn too_large(uri: &str, actual: usize, limit: usize) -> Refusal {
    Refusal::LimitExceeded { what: uri.to_owned(), limit: "documentBytes", value: limit, actual }
}

/// The path `uri` names once links are resolved.
pub(crate) fn resolve(uri: &str) -> Result<PathBuf, DocumentProblem> {
    let path = file_path_of(uri)
        .ok_or(DocumentProblem::NotFound("it is not open in the editor, and its URI does not name a file"))?;
    path.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            DocumentProblem::NotFound("it is not open in the editor, and there is no such file")
        }
        _ => DocumentProblem::Unreadable(error.to_string()),
    })
}

/// The workspace folder that holds `path`, and the rest of the way.
fn containing(folders: &[PathBuf], path: &Path) -> Result<(PathBuf, PathBuf), DocumentProblem> {
    let (folder, inside) = innermost(folders, path).ok_or(DocumentProblem::OutsideWorkspace(
        "it is not open in the editor, and it lies in no workspace folder once links are resolved",
    ))?;
    not_in_git(&inside)?;
    Ok((folder, inside))
}

fn innermost(folders: &[PathBuf], path: &Path) -> Option<(PathBuf, PathBuf)> {
    let resolved = folders.iter().filter_map(|it| it.canonicalize().ok());
    let found = resolved.filter_map(|folder| path.strip_prefix(&folder).map(|it| (folder.clone(), it.to_owned())).ok());
    found.max_by_key(|it| it.0.as_os_str().len())
}

fn not_in_git(inside: &Path) -> Result<(), DocumentProblem> {
    let is_git = |it: std::path::Component<'_>| it.as_os_str().eq_ignore_ascii_case(".git");
    match inside.components().any(is_git) {
        true => Err(DocumentProblem::OutsideWorkspace("what is in .git is Git's own")),
        false => Ok(()),
    }
}

/// Reads through the folder's handle: a link that somebody puts on the way meanwhile leads nowhere outside.
fn bytes_of(folder: &Path, inside: &Path, limit: usize) -> Result<Vec<u8>, DocumentProblem> {
    let unreadable = |error: std::io::Error| DocumentProblem::Unreadable(error.to_string());
    let directory = Dir::open_ambient_dir(folder, ambient_authority()).map_err(unreadable)?;
    // Before it is opened: opening a pipe would wait for whoever writes to it.
    if !directory.metadata(inside).map_err(unreadable)?.is_file() {
        return Err(DocumentProblem::NotAFile("it is not a regular file"));
    }
    let file = directory.open(inside).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir_all(folder.path().join("ws/.git")).unwrap();
            fs::create_dir_all(folder.path().join("ws/sub")).unwrap();
            fs::create_dir_all(folder.path().join("outside")).unwrap();
            for (name, content) in [
                ("ws/a.rs", "\u{feff}a\r\n".as_bytes()),
                ("ws/.git/config", b"x"),
                ("ws/latin1", b"\xe9"),
                ("outside/secret", b"x"),
            ] {
                fs::write(folder.path().join(name), content).unwrap();
            }
            symlink("../outside/secret", folder.path().join("ws/way-out")).unwrap();
            symlink("../outside", folder.path().join("ws/outside")).unwrap();
            symlink("a.rs", folder.path().join("ws/link.rs")).unwrap();
            Self(folder)
        }

        fn read(&self, name: &str) -> Result<File, Refusal> {
            let uri = format!("file://{}/{name}", self.0.path().display());
            read(&[self.0.path().join("ws")], &uri, 100)
        }
    }

    #[track_caller]
    fn check(folder: &Folder, name: &str, expected: &str) {
        let found = match folder.read(name) {
            Ok(_) => "read",
            Err(Refusal::Document { problem, .. }) => match problem {
                DocumentProblem::OutsideWorkspace(_) => "outside",
                DocumentProblem::NotAFile(_) => "no file",
                DocumentProblem::NotUtf8 => "not utf-8",
                DocumentProblem::NotFound(_) => "not found",
                DocumentProblem::Exists(_) => "exists",
                DocumentProblem::ReadOnly(_) => "read-only",
                DocumentProblem::Unreadable(_) => "unreadable",
            },
            Err(other) => panic!("{other:?}"),
        };
        assert_eq!(found, expected, "{name}");
    }

    #[test]
    fn only_regular_text_files_of_the_workspace_are_read() {
        let folder = Folder::new();
        check(&folder, "ws/a.rs", "read");
        check(&folder, "ws/link.rs", "read");
        check(&folder, "ws/sub/../a.rs", "read");
        check(&folder, "ws/way-out", "outside");
        check(&folder, "ws/outside/secret", "outside");
        check(&folder, "ws/../outside/secret", "outside");
        check(&folder, "ws/.git/config", "outside");
        check(&folder, "ws/sub", "no file");
        check(&folder, "ws/latin1", "not utf-8");
        check(&folder, "ws/missing", "not found");
    }

    #[test]
    fn a_byte_order_mark_and_line_endings_are_kept_but_no_editor_shows_the_mark() {
        let file = Folder::new().read("ws/a.rs").unwrap();
        assert_eq!((file.text.as_str(), file.document()), ("\u{feff}a\r\n", "a\r\n"));
    }

    #[test]
    fn a_uri_that_names_no_file_is_not_found() {
        let refused = read(&[], "untitled:Untitled-1", 100);
        assert!(matches!(refused, Err(Refusal::Document { problem: DocumentProblem::NotFound(_), .. })));
    }
}
