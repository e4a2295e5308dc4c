//! The files a batch speaks of: found inside the root, links resolved, and read as an editor reads them.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fs, io};

use tower_lsp::ls_types::Uri;
use url::Url;

use super::problem::Problem;
use crate::files;
use crate::limits::Limits;
use crate::refusal::DocumentProblem;
use crate::snapshot;

/// The folder whose files may be edited, links resolved.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    path: PathBuf,
    pub(crate) uri: Uri,
}

/// One file as it was read.
#[derive(Clone, Debug)]
pub(crate) struct ProjectFile {
    /// As the person names it: relative to the root.
    pub(crate) name: String,
    pub(crate) uri: Uri,
    pub(super) path: PathBuf,
    /// All it holds, a byte order mark included.
    pub(super) text: String,
}

impl Root {
    pub(crate) fn open(folder: &Path) -> Result<Self, Problem> {
        let name = || folder.display().to_string();
        let path = fs::canonicalize(folder).map_err(|error| Problem::Unreadable { name: name(), error })?;
        if !path.is_dir() {
            return Err(Problem::Unreadable { name: name(), error: io::ErrorKind::NotADirectory.into() });
        }
        let uri = uri(&path).ok_or_else(|| Problem::NotAFileUri { uri: name() })?;
        Ok(Self { path, uri })
    }

    /// The file that `reference`, a `file:` URI or a path relative to the root, names.
    pub(crate) fn file(&self, reference: &str) -> Result<ProjectFile, Problem> {
        let asked = self.path_of(reference)?;
        let name = || reference.to_owned();
        let unreadable = |error| Problem::Unreadable { name: name(), error };
        let path = fs::canonicalize(asked).map_err(unreadable)?;
        let inside = path
            .strip_prefix(&self.path)
            .map_err(|_| Problem::Outside { name: name(), root: self.path.display().to_string() })?
            .display()
            .to_string();
        let uri = uri(&path).ok_or_else(|| Problem::NotAFileUri { uri: name() })?;
        let file = files::read(std::slice::from_ref(&self.path), uri.as_str(), Limits::DEFAULT.document_bytes)
            .map_err(|refusal| Problem::NotEditable { name: name(), refusal })?;
        Ok(ProjectFile { name: inside.replace('\\', "/"), uri, path, text: file.text })
    }

    /// Whether anything is where `reference` says.
    pub(crate) fn holds(&self, reference: &str) -> bool {
        self.path_of(reference).is_ok_and(|it| it.symlink_metadata().is_ok())
    }

    /// The place that `reference` names, whatever is there. Whether that is inside the root, the server says.
    pub(crate) fn place(&self, reference: &str) -> Result<Uri, Problem> {
        let path = self.path_of(reference)?;
        uri(&path).ok_or_else(|| Problem::NotAFileUri { uri: reference.to_owned() })
    }

    /// The path of such a place, links on the way resolved, and how the person names it.
    pub(crate) fn located(&self, uri: &Uri) -> Result<(PathBuf, String), DocumentProblem> {
        let folders = std::slice::from_ref(&self.path);
        let path = files::Spot::of(folders, uri.as_str())?.path;
        Ok((path, snapshot::name(folders, uri.as_str())))
    }

    fn path_of(&self, reference: &str) -> Result<PathBuf, Problem> {
        match Url::parse(reference) {
            Ok(url) if url.scheme() == "file" => {
                url.to_file_path().map_err(|()| Problem::NotAFileUri { uri: reference.to_owned() })
            }
            // A scheme of one letter is a drive.
            Ok(url) if url.scheme().len() > 1 && reference.contains("://") => {
                Err(Problem::NotAFileUri { uri: reference.to_owned() })
            }
            _ => Ok(self.path.join(reference)),
        }
    }
}

fn uri(path: &Path) -> Option<Uri> {
    Uri::from_str(Url::from_file_path(path).ok()?.as_str()).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Root;

    #[track_caller]
    fn check(root: &Root, reference: &str, expected: Result<&str, &str>) {
        match (root.file(reference), expected) {
            (Ok(file), Ok(name)) => assert_eq!(file.name, name),
            (Err(problem), Err(told)) => assert!(problem.to_string().contains(told), "{problem}"),
            (Ok(file), Err(told)) => panic!("{told:?}, but {reference} is {}", file.name),
            (Err(problem), Ok(_)) => panic!("{problem}"),
        }
    }

    #[test]
    fn a_file_is_named_by_path_or_uri_and_lies_inside_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        fs::create_dir_all(path.join("root/sub")).unwrap();
        fs::create_dir_all(path.join("root/.git")).unwrap();
        fs::write(path.join("root/.git/config"), "1").unwrap();
        fs::write(path.join("root/sub/a b:c.txt"), "1").unwrap();
        fs::write(path.join("root/bytes"), [b'a', 0xff]).unwrap();
        fs::write(path.join("outside"), "1").unwrap();
        let root = Root::open(&path.join("root")).unwrap();

        check(&root, "sub/a b:c.txt", Ok("sub/a b:c.txt"));
        check(&root, "./sub/../sub/a b:c.txt", Ok("sub/a b:c.txt"));
        check(&root, path.join("root/sub/a b:c.txt").to_str().unwrap(), Ok("sub/a b:c.txt"));
        let uri = root.file("sub/a b:c.txt").unwrap().uri;
        check(&root, uri.as_str(), Ok("sub/a b:c.txt"));

        check(&root, "../outside", Err("../outside: lies outside"));
        check(&root, path.join("outside").to_str().unwrap(), Err("lies outside"));
        check(&root, "missing", Err("missing: no such file"));
        check(&root, "sub", Err("sub: it is not a regular file"));
        check(&root, "bytes", Err("bytes: it is not UTF-8 text"));
        check(&root, "untitled://a", Err("not a file: URI"));
        check(&root, "", Err(": no such file"));
        check(&root, ".git/config", Err("Git's own"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_resolved_first() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        fs::create_dir(path.join("root")).unwrap();
        fs::write(path.join("root/real"), "1").unwrap();
        fs::write(path.join("outside"), "1").unwrap();
        symlink("real", path.join("root/inside")).unwrap();
        symlink("../outside", path.join("root/out")).unwrap();
        let root = Root::open(&path.join("root")).unwrap();
        check(&root, "inside", Ok("real"));
        check(&root, "out", Err("lies outside"));
        assert_eq!(root.file("inside").unwrap().uri, root.file("real").unwrap().uri);
    }
}
