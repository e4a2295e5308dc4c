//! The answer to a batch that was applied or previewed.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::TextEdit;

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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    pub applied_edits: Vec<AppliedEdit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<Match>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_edits: Option<Vec<TextEdit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// Whether it was saved, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saved: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// `version: null` is written, never left out: some clients raise an error on a missing one.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct VersionedIdentifier {
    pub uri: String,
    pub version: Option<i32>,
}

/// The engine's description of one edit, or what was done with a file.
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
    #[serde(rename = "create")]
    Create {
        content_length: usize,
        #[serde(skip_serializing_if = "is_false")]
        overwritten: bool,
        #[serde(skip_serializing_if = "is_false")]
        no_change: bool,
    },
    #[serde(rename = "delete")]
    Delete,
    #[serde(rename = "rename")]
    Rename { old_uri: String },
}

#[derive(Debug, Serialize)]
pub(crate) struct Match {
    pub strategy: &'static str,
    pub occurrences: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Warning {
    /// Which edit it is about; `None` where it is about the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit: Option<usize>,
    pub code: &'static str,
    pub message: Cow<'static, str>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_false(value: &bool) -> bool {
    !value
}
