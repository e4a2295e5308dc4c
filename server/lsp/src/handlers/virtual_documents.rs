//! `workspace/textDocumentContent`: diffs that are documents without a file, for editors that show such.

use std::sync::Arc;

use serde_json::json;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types::Registration;

use crate::errors;
use crate::protocol::{TEXT_DOCUMENT_CONTENT, TextDocumentContentParams, TextDocumentContentResult};
use crate::refusal::{DocumentProblem, Refusal};
use crate::server::Server;
use crate::showing::SCHEME;

/// `initialized`: from here on the client may be told that we have documents of our own.
pub(crate) fn initialized(server: &Arc<Server>) {
    if !server.profile().registers_virtual_documents {
        return;
    }
    let server = server.clone();
    tokio::spawn(async move {
        let registration = Registration {
            id: "agent-edit diffs".to_owned(),
            method: TEXT_DOCUMENT_CONTENT.to_owned(),
            register_options: Some(json!({ "schemes": [SCHEME] })),
        };
        match server.client.register_capability(vec![registration]).await {
            Ok(()) => server.shown_files.can_be_virtual(),
            Err(error) => tracing::info!(code = error.code.code(), "diffs will be shown as files"),
        }
    });
}

/// The request.
pub(crate) fn content(
    server: &Server,
    params: &TextDocumentContentParams,
) -> jsonrpc::Result<TextDocumentContentResult> {
    let text = server.shown_files.virtual_text(&params.uri);
    text.map(|text| TextDocumentContentResult { text }).ok_or_else(|| {
        let problem = DocumentProblem::NotFound("it is no document of this server, or it was shown too long ago");
        errors::error(Refusal::Document { uri: params.uri.clone(), problem })
    })
}
