//! The parameters of `workspace/agentEdit`.

use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

/// The parameters of `workspace/agentEdit`, as they come. What must be there and what excludes what, `from_proto` says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgentEditParams {
    pub documents: Vec<DocumentEntry>,
    #[serde(default, deserialize_with = "word")]
    pub matching: Option<Matching>,
    #[serde(default, deserialize_with = "word")]
    pub anchoring: Option<Anchoring>,
    #[serde(default, deserialize_with = "not_null")]
    pub partial_only: Option<bool>,
    #[serde(default, deserialize_with = "word")]
    pub line_endings: Option<LineEndings>,
    #[serde(default, deserialize_with = "not_null")]
    pub allow_placeholders: Option<bool>,
    #[serde(default, deserialize_with = "word")]
    pub mode: Option<Mode>,
    #[serde(default, deserialize_with = "not_null")]
    pub agent: Option<String>,
    #[serde(default, deserialize_with = "not_null")]
    pub label: Option<String>,
    #[serde(default, deserialize_with = "not_null")]
    pub save: Option<bool>,
    /// LSP's own: where it is shown that the batch is worked on.
    #[serde(default)]
    pub work_done_token: Option<WorkDoneToken>,
}

/// What the client calls a progress.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a string or an integer of 32 bits")]
pub(crate) enum WorkDoneToken {
    Number(i32),
    String(String),
}

/// Text edits in a document, or one file operation: which one it is, the fields that are there decide.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DocumentEntry {
    #[serde(default, deserialize_with = "not_null")]
    pub text_document: Option<DocumentIdentifier>,
    #[serde(default, deserialize_with = "not_null")]
    pub expected_base_sha256: Option<String>,
    #[serde(default, deserialize_with = "not_null")]
    pub edits: Option<Vec<TextualEdit>>,
    #[serde(default, deserialize_with = "not_null")]
    pub create: Option<CreateEntry>,
    #[serde(default, deserialize_with = "not_null")]
    pub delete: Option<DeleteEntry>,
    #[serde(default, deserialize_with = "not_null")]
    pub rename: Option<RenameEntry>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CreateEntry {
    pub uri: String,
    pub content: String,
    #[serde(default, deserialize_with = "not_null")]
    pub overwrite: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeleteEntry {
    pub uri: String,
    #[serde(default, deserialize_with = "not_null")]
    pub expected_base_sha256: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RenameEntry {
    pub old_uri: String,
    pub new_uri: String,
    #[serde(default, deserialize_with = "not_null")]
    pub expected_base_sha256: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct DocumentIdentifier {
    pub uri: String,
    /// The one field that may be null: LSP has it so.
    pub version: Option<i32>,
}

/// An edit of any shape: which one it is, the fields that are there decide.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextualEdit {
    #[serde(default, deserialize_with = "not_null")]
    pub old_text: Option<String>,
    #[serde(default, deserialize_with = "not_null")]
    pub new_text: Option<String>,
    #[serde(default, deserialize_with = "not_null")]
    pub replace_all: Option<bool>,
    #[serde(default, deserialize_with = "not_null")]
    pub expected_occurrences: Option<u32>,
    #[serde(default, deserialize_with = "not_null")]
    pub at_line: Option<u32>,
    #[serde(default, deserialize_with = "not_null")]
    pub from: Option<u32>,
    #[serde(default, deserialize_with = "not_null")]
    pub to: Option<u32>,
    #[serde(default, deserialize_with = "not_null")]
    pub expected_text: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Matching {
    Exact,
    Tolerant,
    Lenient,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Anchoring {
    Sequential,
    Original,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum LineEndings {
    Document,
    AsGiven,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Mode {
    Apply,
    Preview,
    Review,
}

/// A field that may be left out, but not be null: whoever sends null for a fence may believe that it holds.
fn not_null<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

/// One of a few words. What serde reads of itself for such a one is also an object with the word as its field.
fn word<'de, D: Deserializer<'de>, T: DeserializeOwned>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(String::deserialize(value)?.into_deserializer()).map(Some)
}
