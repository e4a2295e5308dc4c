//! `workspace/executeCommand`: the commands by name.

use std::sync::Arc;

use serde_json::Value;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types::ExecuteCommandParams;

use crate::errors;
use crate::handlers::agent_edit;
use crate::handlers::pending_commands::{self, APPLY_ALL, APPLY_HERE, APPLY_MATCHING, DISCARD, DISCARD_ALL, SHOW_EDIT};
use crate::handlers::revert::{self, REVERT};
use crate::protocol::to_value;
use crate::refusal::Refusal;
use crate::server::Server;

/// Every command there is.
pub(crate) const NAMES: [&str; 9] =
    [APPLY, APPLY_MATCHING, APPLY_HERE, APPLY_ALL, SHOW_EDIT, DISCARD, DISCARD_ALL, CONFLICTS, REVERT];

const APPLY: &str = "agentEdit.apply";
const CONFLICTS: &str = "agentEdit.conflicts";

/// The request.
pub(crate) async fn execute_command(
    server: Arc<Server>,
    params: ExecuteCommandParams,
) -> jsonrpc::Result<Option<Value>> {
    run(&server, params).await.map(Some).map_err(errors::error)
}

async fn run(server: &Arc<Server>, params: ExecuteCommandParams) -> Result<Value, Refusal> {
    let token = params.work_done_progress_params.work_done_token;
    let argument = params.arguments.into_iter().next().unwrap_or(Value::Null);
    match params.command.as_str() {
        APPLY => agent_edit::run(server, argument, token).await.map(to_value),
        APPLY_HERE => pending_commands::apply_here(server, argument).await,
        APPLY_ALL => pending_commands::apply_all(server, argument).await,
        APPLY_MATCHING => pending_commands::apply_matching(server, argument).await,
        SHOW_EDIT => pending_commands::show_edit(server, argument).await,
        DISCARD => pending_commands::discard(server, argument).await,
        DISCARD_ALL => pending_commands::discard_all(server, argument).await,
        REVERT => revert::revert_batch(server, argument).await,
        CONFLICTS => pending_commands::conflicts(server).await,
        other => Err(Refusal::InvalidParams(format!("command: there is no {other}"))),
    }
}
