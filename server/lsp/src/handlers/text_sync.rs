//! What the editor tells of its documents. All of it happens before the first await, so in the order of the wire.

use std::sync::Arc;

use tower_lsp::ls_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    MessageType,
};

use crate::diagnostics;
use crate::documents::Noted;
use crate::server::Server;
use crate::snapshot;
use crate::transport::Unreadable;
use crate::uri_key::UriKey;

/// `textDocument/didOpen`.
pub(crate) fn did_open(server: &Arc<Server>, params: DidOpenTextDocumentParams) {
    let document = params.text_document;
    let noted = server.documents.open(document.uri.clone(), document.version, &document.text, server.reading());
    told(server, document.uri.as_str(), noted);
    diagnostics::publish_when_quiet(server, UriKey::of(document.uri.as_str()));
}

/// `textDocument/didChange`.
pub(crate) fn did_change(server: &Arc<Server>, params: &DidChangeTextDocumentParams) {
    let document = &params.text_document;
    let noted = server.documents.change(&document.uri, document.version, &params.content_changes, server.reading());
    told(server, document.uri.as_str(), noted);
    diagnostics::publish_when_quiet(server, UriKey::of(document.uri.as_str()));
}

/// `textDocument/didSave`.
pub(crate) fn did_save(server: &Arc<Server>, params: &DidSaveTextDocumentParams) {
    server.documents.saved(&params.text_document.uri);
}

/// `textDocument/didClose`.
pub(crate) fn did_close(server: &Arc<Server>, params: &DidCloseTextDocumentParams) {
    server.documents.close(&params.text_document.uri);
}

/// A message that may have been one of those, and could not be read.
pub(crate) fn unreadable(server: &Arc<Server>, message: &Unreadable) {
    let uris = match &message.uri {
        Some(uri) => vec![uri.clone()],
        None => server.documents.now().all().map(|(_, it)| it.uri.as_str().to_owned()).collect(),
    };
    let method = message.method.as_deref().unwrap_or("a message");
    for uri in uris {
        let noted = server.documents.lose(&uri, &format!("{method} could not be read: {}", message.error));
        told(server, &uri, noted);
    }
}

/// A document that is lost now is told of, once. The telling may wait, the reader may not.
fn told(server: &Arc<Server>, uri: &str, noted: Noted) {
    let Noted::NowLost(reason) = noted else { return };
    tracing::warn!(uri, "a document is lost");
    let name = snapshot::name(&server.folders(), uri);
    let message = format!("agent-edit cannot follow {name}: {reason}. Open it again to have agents edit it.");
    let client = server.client.clone();
    tokio::spawn(async move { client.show_message(MessageType::WARNING, message).await });
}
