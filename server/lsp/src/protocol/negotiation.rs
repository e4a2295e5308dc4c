//! What both sides say of themselves in `initialize`.

use serde::{Deserialize, Serialize};

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
#[serde(rename_all = "camelCase")]
pub(crate) struct AgentEditClientOptions {
    #[serde(default)]
    pub features: Vec<String>,
    /// It saves documents when it is asked to, by `agentEdit/save`.
    #[serde(default)]
    pub save: bool,
    /// It opens a diff of its own when it is asked to, by `agentEdit/showEdit`.
    #[serde(default)]
    pub show_edit: bool,
    /// Its handler of `workspace/applyEdit` checks the version of every document before it touches any.
    #[serde(default)]
    pub checks_versions: bool,
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
    pub progress: Option<u64>,
}
