//! A place for a file, whether one is there or not: inside a workspace folder once links are resolved, those of the
//! folders on the way included, and looked at through the folder's handle.

use std::ffi::OsString;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};

use crate::refusal::DocumentProblem;
use crate::uri_key::file_path_of;

/// The place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Where it is: links on the way to it are resolved, one in its own place is not.
    pub path: PathBuf,
    folder: PathBuf,
    /// The way from the folder.
    inside: PathBuf,
}

/// What is at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum There {
    Nothing,
    File {
        /// In bytes.
        length: u64,
        read_only: bool,
    },
    Link,
    /// A folder, a pipe, a device.
    Other,
}

impl Spot {
    /// The place that `uri` names.
    pub(crate) fn of(folders: &[PathBuf], uri: &str) -> Result<Self, DocumentProblem> {
        let path = file_path_of(uri).ok_or(DocumentProblem::NotFound("its URI does not name a file"))?;
        let path = resolved(&path)?;
        let (folder, inside) = super::innermost(folders, &path)
            .ok_or(DocumentProblem::OutsideWorkspace("it lies in no workspace folder once links are resolved"))?;
        super::not_in_git(&inside)?;
        Ok(Self { path, folder, inside })
    }

    /// What is there now.
    pub(crate) fn there(&self) -> Result<There, DocumentProblem> {
        match self.handle()?.symlink_metadata(&self.inside) {
            Ok(it) if it.is_file() => Ok(There::File { length: it.len(), read_only: it.permissions().readonly() }),
            Ok(it) if it.is_symlink() => Ok(There::Link),
            Ok(_) => Ok(There::Other),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(There::Nothing),
            Err(error) => Err(unreadable(&error)),
        }
    }

    /// What the regular file there holds, of at most `limit` bytes; `None` where it is more.
    pub(crate) fn bytes(&self, limit: usize) -> Result<Option<Vec<u8>>, DocumentProblem> {
        let file = self.handle()?.open(&self.inside).map_err(|it| unreadable(&it))?;
        let mut bytes = Vec::new();
        file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(|it| unreadable(&it))?;
        Ok((bytes.len() <= limit).then_some(bytes))
    }

    /// Refuses it where the folder it is to be in takes no changes, as far as its mode tells. Folders that are not there
    /// are for the editor to make.
    pub(crate) fn can_change(&self) -> Result<(), DocumentProblem> {
        let folder = self.nearest_folder()?;
        if !folder.is_dir() {
            return Err(DocumentProblem::NotAFile("what is to be its folder is none"));
        }
        match folder.permissions().readonly() {
            true => Err(DocumentProblem::ReadOnly("its folder is read-only")),
            false => Ok(()),
        }
    }

    /// The nearest on the way to it that is there.
    fn nearest_folder(&self) -> Result<Metadata, DocumentProblem> {
        let handle = self.handle()?;
        for above in self.inside.ancestors().skip(1) {
            let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
            match handle.metadata(above) {
                Ok(it) => return Ok(it),
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
                Err(error) => return Err(unreadable(&error)),
            }
        }
        Err(DocumentProblem::NotFound("its workspace folder is gone"))
    }

    fn handle(&self) -> Result<Dir, DocumentProblem> {
        Dir::open_ambient_dir(&self.folder, ambient_authority()).map_err(|it| unreadable(&it))
    }
}

/// `path` with the links on the way resolved, as far as there is anything.
fn resolved(path: &Path) -> Result<PathBuf, DocumentProblem> {
    let nowhere = DocumentProblem::NotFound("its URI does not name a file");
    if path.components().any(|it| it == Component::ParentDir) {
        return Err(nowhere);
    }
    let mut rest: Vec<OsString> = vec![path.file_name().ok_or(nowhere.clone())?.to_owned()];
    let mut above = path.parent().ok_or(nowhere.clone())?;
    let root = loop {
        match above.canonicalize() {
            Ok(it) => break it,
            // What is there and leads nowhere is a link.
            Err(error) if error.kind() == ErrorKind::NotFound && above.symlink_metadata().is_err() => {
                rest.push(above.file_name().ok_or(nowhere.clone())?.to_owned());
                above = above.parent().ok_or(nowhere.clone())?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(DocumentProblem::OutsideWorkspace("a link on the way to it leads nowhere"));
            }
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                return Err(DocumentProblem::NotAFile("what is to be its folder is none"));
            }
            Err(error) => return Err(unreadable(&error)),
        }
    };
    Ok(rest.into_iter().rev().fold(root, |path, it| path.join(it)))
}

fn unreadable(error: &std::io::Error) -> DocumentProblem {
    DocumentProblem::Unreadable(error.to_string())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        for it in ["ws/.git", "ws/sub", "ws/locked", "outside"] {
            fs::create_dir_all(path.join(it)).unwrap();
        }
        fs::write(path.join("ws/a.rs"), "a").unwrap();
        fs::write(path.join("ws/readonly"), "a").unwrap();
        fs::set_permissions(path.join("ws/readonly"), Permissions::from_mode(0o444)).unwrap();
        fs::set_permissions(path.join("ws/locked"), Permissions::from_mode(0o555)).unwrap();
        symlink("../outside", path.join("ws/way-out")).unwrap();
        symlink("../outside/none", path.join("ws/dangling")).unwrap();
        symlink("sub", path.join("ws/within")).unwrap();
        symlink(".git", path.join("ws/git")).unwrap();
        symlink("a.rs", path.join("ws/link.rs")).unwrap();
        folder
    }

    #[test]
    fn a_place_is_inside_once_links_are_resolved_or_none_at_all() {
        let folder = folder();
        let path = folder.path().canonicalize().unwrap();
        let spot = |name: &str| Spot::of(&[path.join("ws")], &format!("file://{}/{name}", path.display()));
        let inside = |name: &str| spot(name).unwrap().path.strip_prefix(path.join("ws")).unwrap().to_owned();
        assert_eq!(inside("ws/new/deep/a.rs"), Path::new("new/deep/a.rs"));
        assert_eq!(inside("ws/within/new.rs"), Path::new("sub/new.rs"));
        assert_eq!(inside("ws/sub/%2e%2e/n%20w"), Path::new("n w"));
        assert_eq!(inside("ws/link.rs"), Path::new("link.rs"));
        for it in ["ws/way-out/new", "ws/way-out/new/deep", "outside/new", "ws/../outside/new", "ws/dangling/new"] {
            assert!(matches!(spot(it), Err(DocumentProblem::OutsideWorkspace(_))), "{it}: {:?}", spot(it));
        }
        for it in ["ws/.git/hooks/new", "ws/git/new", "ws/.GIT/new", "ws/sub/.git"] {
            assert_eq!(spot(it), Err(DocumentProblem::OutsideWorkspace("what is in .git is Git's own")), "{it}");
        }
        assert!(matches!(Spot::of(&[], "untitled:a"), Err(DocumentProblem::NotFound(_))));
    }

    #[test]
    fn what_is_there_is_told() {
        let folder = folder();
        let path = folder.path().canonicalize().unwrap();
        let spot = |name: &str| Spot::of(&[path.join("ws")], &format!("file://{}/ws/{name}", path.display())).unwrap();
        assert_eq!(spot("a.rs").there(), Ok(There::File { length: 1, read_only: false }));
        assert_eq!(spot("readonly").there(), Ok(There::File { length: 1, read_only: true }));
        assert_eq!(spot("sub").there(), Ok(There::Other));
        assert_eq!(spot("link.rs").there(), Ok(There::Link));
        assert_eq!(spot("dangling").there(), Ok(There::Link));
        assert_eq!(spot("new/deep").there(), Ok(There::Nothing));
        assert_eq!(spot("new/deep").can_change(), Ok(()));
        assert!(matches!(spot("locked/new").can_change(), Err(DocumentProblem::ReadOnly(_))));
        let below_a_file = Spot::of(&[path.join("ws")], &format!("file://{}/ws/a.rs/new", path.display()));
        assert!(matches!(below_a_file.and_then(|it| it.can_change()), Err(DocumentProblem::NotAFile(_))));
        assert_eq!(spot("a.rs").bytes(1), Ok(Some(b"a".to_vec())));
        assert_eq!(spot("a.rs").bytes(0), Ok(None));
    }
}
