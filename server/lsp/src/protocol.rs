//! What we add to LSP: the wire types of `workspace/agentEdit`, and nothing else.

mod answer;
mod negotiation;
mod pending;
mod refusals;
mod request;

use serde::Serialize;
use serde_json::Value;

pub(crate) use answer::{AgentEditResult, AppliedEdit, DocumentResult, Match, VersionedIdentifier, Warning};
pub(crate) use negotiation::{
    AgentEditClientOptions, AgentEditOptions, InitializationOptions, LimitsOptions, TimeoutsOptions,
};
pub(crate) use pending::{
    CommandResult, DiagnosticData, PendingArguments, PendingBatchResult, RevertArguments, RevertResult,
    RevertedDocument, Save, SaveParams, SaveResult, ShowEdit, ShowEditParams, ShownResult, ShownSide,
    TextDocumentContentParams, TextDocumentContentResult,
};
pub(crate) use refusals::{
    Candidate, CandidateLine, ConflictData, DivergedDocument, DivergedState, Failure, Fence, Hint, RefusalData,
    StaleDocument,
};
pub(crate) use request::{
    AgentEditParams, Anchoring, CreateEntry, DeleteEntry, DocumentEntry, LineEndings, Matching, Mode, RenameEntry,
    TextualEdit, WorkDoneToken,
};

/// The method of a batch.
pub(crate) const AGENT_EDIT: &str = "workspace/agentEdit";

/// The method by which a document without a file is read: LSP 3.18.
pub(crate) const TEXT_DOCUMENT_CONTENT: &str = "workspace/textDocumentContent";

/// The wire form of `value`.
pub(crate) fn to_value(value: impl Serialize) -> Value {
    serde_json::to_value(value).expect("these types hold nothing that JSON cannot")
}
