//! `textDocument/diagnostic`: the conflicts of a document, for an editor that would rather ask for them than be told.

use std::sync::Arc;

use tower_lsp::jsonrpc;
use tower_lsp::ls_types::{
    Diagnostic, DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport,
};

use crate::diagnostics;
use crate::errors;
use crate::protocol::to_value;
use crate::refusal::Refusal;
use crate::server::Server;
use crate::snapshot::{self, sha256};
use crate::uri_key::UriKey;

/// The request. It is answered for the text as it stood when the request came, whatever is typed meanwhile.
pub(crate) async fn diagnostic(
    server: Arc<Server>,
    params: DocumentDiagnosticParams,
) -> jsonrpc::Result<DocumentDiagnosticReportResult> {
    if !server.profile().pulls_diagnostics {
        // Whoever asks all the same would show each conflict twice.
        return Err(jsonrpc::Error::method_not_found());
    }
    run(&server, params).await.map(DocumentDiagnosticReportResult::Report).map_err(errors::error)
}

async fn run(server: &Server, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReport, Refusal> {
    let uri = params.text_document.uri;
    let key = UriKey::of(uri.as_str());
    let Ok(seen) = snapshot::of(server, vec![(uri.as_str().to_owned(), key.clone())]).await else {
        // Its text is not known now: what was found in the last one stays until it is.
        return Ok(params.previous_result_id.map_or_else(|| full(vec![], None), unchanged));
    };
    let seen = seen.into_iter().next().expect("one was asked for");
    let found = diagnostics::of_document(server, &seen).await?;
    // From here on this is what the editor shows.
    server.pending.publish(&key, &uri, None, &found);
    let id = sha256(&to_value(&found).to_string());
    match params.previous_result_id {
        Some(previous) if previous == id => Ok(unchanged(id)),
        _ => Ok(full(found, Some(id))),
    }
}

fn full(items: Vec<Diagnostic>, result_id: Option<String>) -> DocumentDiagnosticReport {
    let full_document_diagnostic_report = FullDocumentDiagnosticReport { result_id, items };
    RelatedFullDocumentDiagnosticReport { related_documents: None, full_document_diagnostic_report }.into()
}

fn unchanged(result_id: String) -> DocumentDiagnosticReport {
    let unchanged_document_diagnostic_report = UnchangedDocumentDiagnosticReport { result_id };
    RelatedUnchangedDocumentDiagnosticReport { related_documents: None, unchanged_document_diagnostic_report }.into()
}
