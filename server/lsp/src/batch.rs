//! A batch past the wall: everything in it is of the right kind, and what is required is there.

use std::sync::Arc;

use agent_edit_engine::{Edit, Options};
use tower_lsp::ls_types::ProgressToken;

use crate::operations::Operation;
use crate::uri_key::UriKey;

/// What an agent asks for.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// Who asks.
    pub agent: String,
    /// What the person reads in the undo list and in diagnostics.
    pub label: Option<String>,
    /// What is to be done with the plan.
    pub mode: Mode,
    /// What holds for all of its edits.
    pub options: Options,
    /// Whether the answer says how each edit matched.
    pub matches: Matches,
    /// Where the client would be shown that it is worked on.
    pub progress: Option<ProgressToken>,
    /// Whether the editor is to save what it has changed.
    pub saving: Saving,
    /// Those with text edits, each once.
    pub documents: Vec<BatchDocument>,
    /// What is to be done with files as such, in the order of the request. No file is in two entries.
    pub operations: Vec<Operation>,
}

/// One document of a batch.
#[derive(Clone, Debug)]
pub(crate) struct BatchDocument {
    /// Its position in the request.
    pub number: usize,
    /// As the agent spells it.
    pub uri: String,
    /// As it is looked up.
    pub key: UriKey,
    /// The version it has to have.
    pub version: Option<i32>,
    /// The hash its text has to have.
    pub base_sha256: Option<String>,
    /// At least one. Shared: they may be large, and several look at them.
    pub edits: Arc<[Edit]>,
}

/// What is to be done with the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Apply it through the editor.
    Apply,
    /// Show it.
    Preview,
    /// Apply it through the editor if the person agrees.
    Review,
}

/// Whether documents are to be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saving {
    Asked,
    Unasked,
}

/// Whether the answer says how each edit matched. Only who asked for other than exact matching is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matches {
    Told,
    Untold,
}

impl Batch {
    /// How many text edits it has.
    pub(crate) fn edit_count(&self) -> usize {
        self.documents.iter().map(|it| it.edits.len()).sum()
    }

    /// Whether `document` is a file that is given a new content as a whole.
    pub(crate) fn is_overwritten(&self, document: &BatchDocument) -> bool {
        self.operations.iter().any(|it| it.number == document.number)
    }

    /// The operations that are no edit of a text.
    pub(crate) fn file_operations(&self) -> Vec<&Operation> {
        let is_edit = |it: &&Operation| self.documents.iter().any(|document| document.number == it.number);
        self.operations.iter().filter(|it| !is_edit(it)).collect()
    }

    /// All that it is about.
    pub(crate) fn keys(&self) -> Vec<UriKey> {
        let documents = self.documents.iter().map(|it| &it.key);
        documents.chain(self.operations.iter().flat_map(Operation::keys)).cloned().collect()
    }
}
