//! The routing table: every method of the server, one line each.

use std::process::exit;

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{InitializeParams, InitializeResult, ServerInfo};
use tower_lsp::{Client, ClientSocket, LanguageServer, LspService};

use crate::transport::serve::serve;
use crate::transport::{Limits, Unreadable};

/// The language server as the service sees it.
pub(crate) struct Backend;

impl Backend {
    fn new(_client: Client) -> Self {
        Self
    }

    /// A message that may have told of a change of a document, and was lost.
    fn unreadable(&self, message: Unreadable) {
        tracing::error!(?message, "a document may be out of step");
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, _: InitializeParams) -> Result<InitializeResult> {
        Ok(InitializeResult {
            server_info: Some(ServerInfo {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            ..InitializeResult::default()
        })
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }
}

/// The service with all its methods, and the socket to its client.
pub(crate) fn service() -> (LspService<Backend>, ClientSocket) {
    LspService::build(Backend::new).finish()
}

/// Serves standard input and output until the editor ends it.
pub(crate) fn on_stdio() -> ! {
    let runtime = tokio::runtime::Runtime::new().expect("the operating system lets a process have threads");
    let (service, socket) = service();
    let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
    exit(runtime.block_on(serve(input, output, service, socket, Limits::default(), Backend::unreadable)))
}
