//! What the server does for each message, one file a concern.

pub(crate) mod agent_edit;
pub(crate) mod code_actions;
pub(crate) mod commands;
pub(crate) mod configuration;
pub(crate) mod conflict_actions;
pub(crate) mod lifecycle;
pub(crate) mod pending_commands;
pub(crate) mod pull;
pub(crate) mod revert;
pub(crate) mod text_sync;
pub(crate) mod virtual_documents;
