//! A batch past the wall: everything in it is of the right kind, and what is required is there.

use std::sync::Arc;

use agent_edit_engine::{Edit, Options};
use tower_lsp::ls_types::ProgressToken;

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
    /// At least one, each once.
    pub documents: Vec<BatchDocument>,
}

/// One document of a batch.
#[derive(Clone, Debug)]
pub(crate) struct BatchDocument {
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
    /// How many edits it has.
    pub(crate) fn edit_count(&self) -> usize {
        self.documents.iter().map(|it| it.edits.len()).sum()
    }
}
