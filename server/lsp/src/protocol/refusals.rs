//! Why a batch was not applied, as facts: the `data` of the errors.

use serde::Serialize;
use tower_lsp::ls_types::Range;

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
    /// What it would have done with files, by position in the request: nothing of that is kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operations_not_done: Vec<usize>,
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
    /// What was to be done with the file, where that is not editing its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<&'static str>,
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
    /// It is not shown, or was closed or lost meanwhile: its text is not known.
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
