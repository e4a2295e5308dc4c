//! What is said of batches that wait for a person: diagnostics, commands, and their answers.

use serde::{Deserialize, Serialize};

use crate::protocol::{Failure, Matching};

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
