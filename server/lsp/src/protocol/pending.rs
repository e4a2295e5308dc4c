//! What is said of batches that wait for a person: diagnostics, commands, and their answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower_lsp::ls_types::Range;
use tower_lsp::ls_types::request::Request;

use crate::protocol::{Failure, Matching, VersionedIdentifier};

/// The argument of the commands that speak of one pending edit or batch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PendingArguments {
    pub batch_id: String,
    /// The document of the edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// The edit's position in the request, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit: Option<usize>,
    /// The version the action was offered for: it is refused for any other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i32>,
    /// Of several places, the one that starts on this line, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Another matching than the batch's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matching: Option<Matching>,
}

/// The `data` of our diagnostics.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DiagnosticData {
    pub batch_id: String,
    pub edit: usize,
}

/// The answer to the commands that speak of one pending edit or batch.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CommandResult {
    pub batch_id: String,
    pub applied: bool,
    pub status: String,
    /// How many edits of the batch are still pending.
    pub remaining: usize,
}

/// One entry of `agentEdit.conflicts`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PendingBatchResult {
    pub batch_id: String,
    pub agent: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    pub edit_count: usize,
    pub failures: Vec<Failure>,
}

/// What `agentEdit/showEdit` asks a client to show, whose plugin opens a diff of its own; and the two sides of every diff.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShowEditParams {
    /// What is shown, in a few words.
    pub title: String,
    /// The text as it is.
    pub left: ShownSide,
    /// The text as the edit would have it.
    pub right: ShownSide,
}

/// One side of a diff.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownSide {
    pub title: String,
    pub text: String,
    /// The document it is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// Where in that document it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
}

/// The request `agentEdit/showEdit`, from the server to the client.
pub(crate) enum ShowEdit {}

impl Request for ShowEdit {
    type Params = ShowEditParams;
    type Result = Option<Value>;
    const METHOD: &'static str = "agentEdit/showEdit";
}

/// The answer to `agentEdit.showEdit`.
#[derive(Debug, Serialize)]
pub(crate) struct ShownResult {
    pub title: String,
    /// As a unified diff.
    pub diff: String,
}

/// What `agentEdit/save` asks a client to save.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SaveParams {
    pub text_documents: Vec<VersionedIdentifier>,
}

/// What it says it has saved: one word a document.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct SaveResult {
    pub saved: Vec<bool>,
}

/// The request `agentEdit/save`, from the server to the client.
pub(crate) enum Save {}

impl Request for Save {
    type Params = SaveParams;
    type Result = SaveResult;
    const METHOD: &'static str = "agentEdit/save";
}

/// What became of one document of a batch that was to be reverted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RevertedDocument {
    pub uri: String,
    pub reverted: bool,
    /// Why it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The answer to `agentEdit.revert`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RevertResult {
    pub batch_id: String,
    pub status: String,
    pub documents: Vec<RevertedDocument>,
}

/// The argument of `agentEdit.revert`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RevertArguments {
    pub batch_id: String,
    /// This document only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
}

/// What `workspace/textDocumentContent` asks for.
#[derive(Debug, Deserialize)]
pub(crate) struct TextDocumentContentParams {
    pub uri: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct TextDocumentContentResult {
    pub text: String,
}
