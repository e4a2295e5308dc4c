//! The files a batch speaks of: found inside the root, read as an editor reads them, written all or none.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use tempfile::NamedTempFile;
use tower_lsp::ls_types::Uri;
use url::Url;

use super::problem::Problem;

const BOM: &str = "\u{feff}";
/// As much as the server takes of one document.
const LIMIT_MIB: u64 = 64;

/// The folder whose files may be edited, links resolved.
#[derive(Debug)]
pub(crate) struct Root {
    path: PathBuf,
    pub(crate) uri: Uri,
}

/// One file as it was read.
#[derive(Debug)]
pub(crate) struct ProjectFile {
    /// As the person names it: relative to the root.
    pub(crate) name: String,
    pub(crate) uri: Uri,
    path: PathBuf,
    /// Its bytes. The text is these without a byte order mark, which an editor keeps to itself.
    content: String,
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
            .map_err(|_| Problem::Outside { name: name(), root: self.path.display().to_string() })?;
        let metadata = fs::metadata(&path).map_err(unreadable)?;
        if !metadata.is_file() {
            return Err(Problem::NotAFile { name: name() });
        }
        if metadata.len() > LIMIT_MIB << 20 {
            return Err(Problem::TooLarge { name: name(), limit_mib: LIMIT_MIB });
        }
        let content = String::from_utf8(fs::read(&path).map_err(unreadable)?)
            .map_err(|error| Problem::NotUtf8 { name: name(), offset: error.utf8_error().valid_up_to() })?;
        let uri = uri(&path).ok_or_else(|| Problem::NotAFileUri { uri: name() })?;
        Ok(ProjectFile { name: inside.display().to_string().replace('\\', "/"), uri, path, content })
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

impl ProjectFile {
    /// What an editor shows of it.
    pub(crate) fn text(&self) -> &str {
        self.content.strip_prefix(BOM).unwrap_or(&self.content)
    }

    fn with_text(&self, text: &str) -> String {
        let bom = &self.content[..self.content.len() - self.text().len()];
        format!("{bom}{text}")
    }
}

fn uri(path: &Path) -> Option<Uri> {
    Uri::from_str(Url::from_file_path(path).ok()?.as_str()).ok()
}

/// Gives every file its new text. First everything is written beside the files and brought to the disk, then all files
/// are compared with what was read, and only then is each replaced in one step.
pub(crate) fn save(changes: &[(&ProjectFile, &str)]) -> Result<(), Problem> {
    let mut staged = vec![];
    for (file, text) in changes {
        staged.push(stage(file, &file.with_text(text))?);
    }
    for (file, _) in changes {
        let now = fs::read(&file.path);
        if now.map_or(true, |now| now != file.content.as_bytes()) {
            return Err(Problem::ChangedOnDisk { name: file.name.clone() });
        }
    }
    for (index, it) in staged.into_iter().enumerate() {
        let (file, _) = changes[index];
        if let Err(error) = replace(it, &file.path) {
            let written = take_back(&changes[..index]);
            return Err(Problem::Unwritable { name: file.name.clone(), error, written });
        }
    }
    Ok(())
}

fn stage(file: &ProjectFile, content: &str) -> Result<NamedTempFile, Problem> {
    let failed = |error| Problem::Unwritable { name: file.name.clone(), error, written: vec![] };
    let permissions = fs::metadata(&file.path).map_err(failed)?.permissions();
    if permissions.readonly() {
        return Err(Problem::ReadOnly { name: file.name.clone() });
    }
    staged(&file.path, content, permissions).map_err(failed)
}

fn staged(path: &Path, content: &str, permissions: Permissions) -> io::Result<NamedTempFile> {
    let folder = path.parent().expect("a file stands in a folder");
    let mut staged = tempfile::Builder::new().prefix(".agent-edit-").tempfile_in(folder)?;
    staged.write_all(content.as_bytes())?;
    staged.as_file().set_permissions(permissions)?;
    staged.as_file().sync_all()?;
    Ok(staged)
}

fn replace(staged: NamedTempFile, path: &Path) -> io::Result<()> {
    staged.persist(path)?;
    if cfg!(unix) {
        // The new name reaches the disk with its folder.
        File::open(path.parent().expect("a file stands in a folder"))?.sync_all()?;
    }
    Ok(())
}

/// Gives files that were replaced their old content again; the names of those for which that failed.
fn take_back(changes: &[(&ProjectFile, &str)]) -> Vec<String> {
    let restored = |file: &ProjectFile| -> io::Result<()> {
        let permissions = fs::metadata(&file.path)?.permissions();
        replace(staged(&file.path, &file.content, permissions)?, &file.path)
    };
    changes.iter().filter(|(file, _)| restored(file).is_err()).map(|(file, _)| file.name.clone()).collect()
}
