//! What we add to LSP: the wire types of `workspace/agentEdit`, and nothing else.

use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use tower_lsp::ls_types::{Range, TextEdit};

/// The method of a batch.
pub(crate) const AGENT_EDIT: &str = "workspace/agentEdit";

/// The parameters of `workspace/agentEdit`, as they come. What must be there and what excludes what, `from_proto` says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgentEditParams {
    pub documents: Vec<DocumentEdit>,
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
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DocumentEdit {
    pub text_document: DocumentIdentifier,
    #[serde(default, deserialize_with = "not_null")]
    pub expected_base_sha256: Option<String>,
    pub edits: Vec<TextualEdit>,
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

/// What the server names in `capabilities.experimental.agentEdit`.
#[derive(Debug, Serialize)]
pub(crate) struct AgentEditOptions {
    pub version: u32,
    pub features: Vec<&'static str>,
    pub limits: LimitsOptions,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LimitsOptions {
    pub documents: usize,
    pub edits: usize,
    pub document_bytes: usize,
    pub edit_bytes: usize,
    pub result_bytes: usize,
    pub pending_batches: usize,
}

/// What the client names in `capabilities.experimental.agentEdit`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct AgentEditClientOptions {
    #[serde(default)]
    pub features: Vec<String>,
}

/// What the client may set in `initializationOptions`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct InitializationOptions {
    #[serde(default)]
    pub timeouts: TimeoutsOptions,
}

/// How long to wait, in milliseconds; the defaults where nothing is said.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct TimeoutsOptions {
    pub answer: Option<u64>,
    pub settle: Option<u64>,
    pub diagnose: Option<u64>,
}

/// The answer to a batch that was applied or previewed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgentEditResult {
    pub batch_id: String,
    pub applied: bool,
    pub status: String,
    pub documents: Vec<DocumentResult>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DocumentResult {
    pub text_document: VersionedIdentifier,
    pub base_sha256: String,
    pub sha256: String,
    pub applied_edits: Vec<AppliedEdit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<Match>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_edits: Option<Vec<TextEdit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// `version: null` is written, never left out: some clients raise an error on a missing one.
#[derive(Debug, Serialize)]
pub(crate) struct VersionedIdentifier {
    pub uri: String,
    pub version: Option<i32>,
}

/// The engine's description of one edit.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all_fields = "camelCase")]
pub(crate) enum AppliedEdit {
    #[serde(rename = "find/replace")]
    FindReplace {
        line_number: u32,
        find_length: usize,
        replaced_length: usize,
        content_length: usize,
        #[serde(skip_serializing_if = "is_false")]
        no_change: bool,
    },
    #[serde(rename = "replace")]
    Replace {
        from: u32,
        to: u32,
        removed_lines: usize,
        inserted_lines: usize,
        #[serde(skip_serializing_if = "is_false")]
        no_change: bool,
    },
    #[serde(rename = "insert")]
    Insert {
        from: u32,
        inserted_lines: usize,
        #[serde(skip_serializing_if = "is_false")]
        no_change: bool,
    },
}

#[derive(Debug, Serialize)]
pub(crate) struct Match {
    pub strategy: &'static str,
    pub occurrences: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Warning {
    pub edit: usize,
    pub code: &'static str,
    pub message: &'static str,
}

/// One failing edit, as facts.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failure {
    pub uri: String,
    pub document: usize,
    pub edit: usize,
    pub label: String,
    pub kind: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<Range>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidate: Option<Candidate>,
    pub hints: Vec<Hint>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Candidate {
    pub range: Range,
    /// From 0 to 1, to three digits.
    pub similarity: f64,
    pub working_line: u32,
    pub lines: Vec<CandidateLine>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct CandidateLine {
    pub mark: &'static str,
    pub text: String,
}

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Hint {
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The `data` of `EDIT_CONFLICT`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConflictData {
    pub code: &'static str,
    pub batch_id: String,
    pub edit_count: usize,
    pub failures: Vec<Failure>,
}

/// A fence that does not hold: both sides' values.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StaleDocument {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Fence<Option<i32>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_sha256: Option<Fence<String>>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Fence<T> {
    pub expected: T,
    pub actual: T,
}

/// A document that came out of an `applyEdit` as something else than was planned, or beside one that did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct DivergedDocument {
    pub uri: String,
    pub state: DivergedState,
}

/// What became of the batch in one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum DivergedState {
    /// It holds the result.
    Applied,
    /// Nothing of the batch is in it.
    NotApplied,
    /// It holds another text than the base and the result.
    Different,
    /// It was closed or lost meanwhile: its text is not known.
    Unknown,
}

/// The `data` of the other errors. `code` is always there.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RefusalData {
    pub code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feature: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documents: Option<Vec<StaleDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diverged: Option<Vec<DivergedDocument>>,
}

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

/// The wire form of `value`.
pub(crate) fn to_value(value: impl Serialize) -> Value {
    serde_json::to_value(value).expect("these types hold nothing that JSON cannot")
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_false(value: &bool) -> bool {
    !value
}
