//! `workspace/executeCommand`: the commands by name.

use std::sync::Arc;

use serde_json::Value;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types::ExecuteCommandParams;

use crate::errors;
use crate::handlers::agent_edit;
use crate::protocol::to_value;
use crate::refusal::Refusal;
use crate::server::Server;

/// Every command there is.
pub(crate) const NAMES: [&str; 1] = ["agentEdit.apply"];

/// The request.
pub(crate) async fn execute_command(
    server: Arc<Server>,
    params: ExecuteCommandParams,
) -> jsonrpc::Result<Option<Value>> {
    run(&server, params).await.map(Some).map_err(errors::error)
}

async fn run(server: &Arc<Server>, params: ExecuteCommandParams) -> Result<Value, Refusal> {
    let argument = params.arguments.into_iter().next().unwrap_or(Value::Null);
    match params.command.as_str() {
        "agentEdit.apply" => agent_edit::run(server, &argument).await.map(to_value),
        other => Err(Refusal::InvalidParams(format!("command: there is no {other}"))),
    }
}
