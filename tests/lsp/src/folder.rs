//! A folder of its own on the disk, gone at the end.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder; `name` tells it from those of other tests of the same process.
    ///
    /// # Panics
    /// Where it cannot be made.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("agent-edit-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder can be made");
        Self(path.canonicalize().expect("it was just made"))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The URI of a file in it; of itself for an empty name.
    #[must_use]
    pub fn uri(&self, name: &str) -> String {
        format!("file://{}", self.0.join(name).display()).trim_end_matches('/').to_owned()
    }

    /// Writes a file.
    ///
    /// # Panics
    /// Where that cannot be done.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), text).expect("a temporary file can be written");
    }

    /// Reads a file.
    ///
    /// # Panics
    /// Where that cannot be done.
    #[must_use]
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("a temporary file can be read")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
