//! The person's settings: asked for where the editor can be asked, taken as it sends them where it cannot. Nothing waits
//! for them.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::timeout;
use tower_lsp::ls_types::{ConfigurationItem, DidChangeConfigurationParams, MessageType, Registration};

use crate::configuration::Asked;
use crate::diagnostics;
use crate::server::Server;
use crate::settings::{SECTION, Wrong, message};
use crate::uri_key::UriKey;

/// `initialized`: from here on the client may be asked.
pub(crate) fn initialized(server: &Arc<Server>) {
    tell(server, &server.configuration.wrong_from_the_start());
    if server.profile().registers_configuration {
        let server = server.clone();
        tokio::spawn(async move { register(&server).await });
    }
    if server.profile().has_configuration {
        ask(server);
    }
}

/// `workspace/didChangeConfiguration`: some send the settings with it, some mean to be asked.
pub(crate) fn did_change_configuration(server: &Arc<Server>, params: &DidChangeConfigurationParams) {
    if server.profile().has_configuration {
        return ask(server);
    }
    if let Some(given) = params.settings.get(SECTION) {
        let server = server.clone();
        let (asked, given) = (server.configuration.ask(), given.clone());
        tokio::spawn(async move { take(&server, asked, &given).await });
    }
}

async fn register(server: &Server) {
    let registration = Registration {
        id: "agent-edit configuration".to_owned(),
        method: "workspace/didChangeConfiguration".to_owned(),
        register_options: Some(json!({ "section": SECTION })),
    };
    if let Err(error) = server.client.register_capability(vec![registration]).await {
        tracing::info!(code = error.code.code(), "changes of the settings will not be told");
    }
}

fn ask(server: &Arc<Server>) {
    let server = server.clone();
    let asked = server.configuration.ask();
    tokio::spawn(async move {
        let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
        // One that never answers is not waited for without end.
        match timeout(server.profile().timeouts.answer, server.client.configuration(vec![item])).await {
            Ok(Ok(answer)) => take(&server, asked, answer.first().unwrap_or(&Value::Null)).await,
            Ok(Err(error)) => tracing::info!(code = error.code.code(), "the settings cannot be asked for"),
            Err(_) => tracing::info!("the settings were asked for and not told"),
        }
    });
}

async fn take(server: &Arc<Server>, asked: Asked, given: &Value) {
    let Some(taken) = server.configuration.take(asked, given) else { return };
    tracing::debug!(settings = ?taken.now, "settings");
    tell(server, &taken.to_be_told);
    let mut touched = server.pending.keep_latest(taken.now.limits.pending_batches);
    if taken.before.severity != taken.now.severity {
        touched = server.pending.keys().into_iter().chain(touched).collect::<Vec<UriKey>>();
    }
    diagnostics::publish(server, &touched).await;
}

/// The telling may wait, the reader may not.
fn tell(server: &Server, wrong: &[Wrong]) {
    if !wrong.is_empty() {
        let (client, message) = (server.client.clone(), message(wrong));
        tokio::spawn(async move { client.show_message(MessageType::WARNING, message).await });
    }
}
