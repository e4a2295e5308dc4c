//! What a batch does with files as such: creates, deletes, renames.

mod examine;
mod telling;

use std::path::PathBuf;
use std::sync::Arc;

use agent_edit_engine::Text;
use tower_lsp::ls_types::Uri;

use crate::documents::Revision;
use crate::uri_key::UriKey;

pub(crate) use self::examine::examine;
pub(crate) use self::telling::{counted, dropped, named, reported, result, shown};

/// One operation as the agent asks for it.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    /// Its position in the request.
    pub number: usize,
    /// What is to be done.
    pub what: What,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub(crate) enum What {
    Create { file: Named, content: Arc<str>, overwrite: bool },
    Delete { file: Named, base_sha256: Option<String> },
    Rename { old: Named, new: Named, base_sha256: Option<String> },
}

/// A file by its URI.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    /// As the agent spells it.
    pub uri: Uri,
    /// As it is looked up.
    pub key: UriKey,
}

impl Operation {
    /// The files it is about.
    pub(crate) fn keys(&self) -> Vec<&UriKey> {
        match &self.what {
            What::Create { file, .. } | What::Delete { file, .. } => vec![&file.key],
            What::Rename { old, new, .. } => vec![&old.key, &new.key],
        }
    }

    /// Where in its entry they are named.
    pub(crate) fn fields(&self) -> Vec<&'static str> {
        match &self.what {
            What::Create { .. } => vec!["create.uri"],
            What::Delete { .. } => vec!["delete.uri"],
            What::Rename { .. } => vec!["rename.oldUri", "rename.newUri"],
        }
    }
}

/// One operation that has been found possible: nothing is changed yet.
#[derive(Clone, Debug)]
pub(crate) struct FileChange {
    /// Its position in the request.
    pub number: usize,
    /// What is to be done.
    pub action: Action,
}

/// What is to be done, and what is there now.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Nothing is there.
    Create {
        file: Place,
        content: Text,
    },
    Delete {
        file: Place,
        held: Held,
    },
    /// Nothing is at the new place.
    Rename {
        old: Place,
        new: Place,
        held: Held,
    },
}

/// A place for a file in a workspace folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// As the editor spells it, where it has it open; else as the agent does.
    pub uri: Uri,
    pub key: UriKey,
    /// How people and agents name it.
    pub name: String,
    /// Where it is once links are resolved.
    pub path: PathBuf,
}

/// A file that was there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// In bytes.
    pub length: u64,
    /// Of its bytes; `None` where they are more than a document may have.
    pub disk_sha256: Option<String>,
    /// What the agent knows it by: that of the open document, which may lack a byte order mark, else the same.
    pub sha256: Option<String>,
    /// As the document an editor makes of it, if it is a text.
    pub text: Option<Text>,
    /// The version and the moment of the open document, which holds the same.
    pub open: Option<(i32, Revision)>,
}

impl FileChange {
    /// What it is called on the wire.
    pub(crate) fn kind(&self) -> &'static str {
        match self.action {
            Action::Create { .. } => "create",
            Action::Delete { .. } => "delete",
            Action::Rename { .. } => "rename",
        }
    }

    /// The file by which it is known: where a renamed one was.
    pub(crate) fn place(&self) -> &Place {
        match &self.action {
            Action::Create { file, .. } | Action::Delete { file, .. } => file,
            Action::Rename { old, .. } => old,
        }
    }
}
