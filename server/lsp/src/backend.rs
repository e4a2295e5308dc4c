//! The routing table: every method of the server, one line each.

use std::sync::Arc;

use serde_json::Value;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CodeActionParams, CodeActionResponse, DidChangeConfigurationParams, DidChangeTextDocumentParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    DocumentDiagnosticParams, DocumentDiagnosticReportResult, ExecuteCommandParams, InitializeParams, InitializeResult,
    InitializedParams, WorkDoneProgressCancelParams,
};
use tower_lsp::{Client, ClientSocket, LanguageServer, LspService};

use crate::handlers::{
    agent_edit, code_actions, commands, configuration, lifecycle, pull, text_sync, virtual_documents,
};
use crate::newer;
use crate::protocol::{AGENT_EDIT, TEXT_DOCUMENT_CONTENT, TextDocumentContentParams, TextDocumentContentResult};
use crate::server::Server;
use crate::showing::ShownFiles;
use crate::transport::serve::serve;
use crate::transport::{Limits, Unreadable};

/// The language server as the service sees it.
pub(crate) struct Backend {
    server: Arc<Server>,
}

impl Backend {
    fn new(client: Client, shown_files: ShownFiles) -> Self {
        Self { server: Arc::new(Server::new(client, shown_files)) }
    }

    fn unreadable(&self, message: Unreadable) {
        text_sync::unreadable(&self.server, &message);
    }

    async fn agent_edit(&self, params: Value) -> Result<Value> {
        agent_edit::agent_edit(self.server.clone(), params).await
    }

    async fn text_document_content(&self, params: TextDocumentContentParams) -> Result<TextDocumentContentResult> {
        virtual_documents::content(&self.server, &params)
    }

    async fn work_done_progress_cancel(&self, params: WorkDoneProgressCancelParams) {
        self.server.progress.cancel(&params.token);
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        Ok(lifecycle::initialize(&self.server, &params))
    }

    async fn initialized(&self, _: InitializedParams) {
        configuration::initialized(&self.server);
        virtual_documents::initialized(&self.server);
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        configuration::did_change_configuration(&self.server, &params);
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        lifecycle::did_change_workspace_folders(&self.server, &params);
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        text_sync::did_open(&self.server, params);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        text_sync::did_change(&self.server, &params);
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        text_sync::did_save(&self.server, &params);
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        text_sync::did_close(&self.server, &params);
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        code_actions::code_actions(self.server.clone(), params).await
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        pull::diagnostic(self.server.clone(), params).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        commands::execute_command(self.server.clone(), params).await
    }
}

/// The service with all its methods, and the socket to its client.
fn service(shown_files: ShownFiles) -> (LspService<Backend>, ClientSocket) {
    LspService::build(|client| Backend::new(client, shown_files))
        .custom_method(AGENT_EDIT, Backend::agent_edit)
        .custom_method(TEXT_DOCUMENT_CONTENT, Backend::text_document_content)
        // The framework has no method for it.
        .custom_method("window/workDoneProgress/cancel", Backend::work_done_progress_cancel)
        .finish()
}

/// Serves standard input and output until the editor ends it. Returns the exit code, with which the process has to end.
pub(crate) fn on_stdio() -> i32 {
    let runtime = tokio::runtime::Runtime::new().expect("the operating system lets a process have threads");
    let shown_files = ShownFiles::default();
    let (service, socket) = service(shown_files.clone());
    let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
    let code = runtime.block_on(serve(
        input,
        output,
        service,
        socket,
        Limits::default(),
        newer::arriving,
        Backend::unreadable,
    ));
    // A read of standard input that waits cannot be given up, and is not waited for.
    runtime.shutdown_background();
    shown_files.remove();
    code
}
