//! The loop around a toy server, in memory: order, waiting, cancellation, failures and the end.

mod cancellation;
mod ending;
mod failures;
mod order;
mod waiting;
mod wire;

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::yield_now;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{
    ApplyWorkspaceEditResponse, DidChangeTextDocumentParams, ExecuteCommandParams, InitializeParams, InitializeResult,
    MessageType, WorkspaceEdit,
};
use tower_lsp::{Client, LanguageServer};

use crate::transport::{Unreadable, cancellation};

/// A server whose methods do what a test asks for, and which notes down what happened in which order.
struct Toy {
    client: Client,
    log: Mutex<Vec<Value>>,
    /// Never notified.
    never: Arc<Notify>,
}

impl Toy {
    fn new(client: Client) -> Self {
        Self { client, log: Mutex::default(), never: Arc::default() }
    }

    fn note(&self, what: impl Into<Value>) {
        self.log.lock().unwrap().push(what.into());
    }

    fn unreadable(&self, message: Unreadable) {
        self.note(json!({"unreadable": message.uri, "method": message.method, "error": message.error}));
    }

    /// Notes its parameter, and then yields where it is told to.
    async fn note_it(&self, what: Value) {
        self.note(what.clone());
        if what["then"] == "yield" {
            yield_now().await;
        }
    }

    /// All that was noted.
    async fn noted(&self) -> Result<Value> {
        Ok(self.log.lock().unwrap().clone().into())
    }

    /// Asks the client to apply an edit and answers what it said.
    async fn ask(&self) -> Result<ApplyWorkspaceEditResponse> {
        self.client.apply_edit(WorkspaceEdit::default()).await
    }

    /// Sends as many messages as it is told to, then answers.
    async fn chat(&self, what: Value) -> Result<Value> {
        for at in 0..what["messages"].as_u64().unwrap() {
            self.client.log_message(MessageType::LOG, at).await;
        }
        Ok(what)
    }

    async fn panic_at_once(&self) -> Result<()> {
        panic!("as asked for");
    }

    async fn panic_later(&self) -> Result<()> {
        yield_now().await;
        panic!("as asked for");
    }

    async fn wait(&self) -> Result<()> {
        self.never.notified().await;
        Ok(())
    }
}

impl LanguageServer for Toy {
    async fn initialize(&self, _: InitializeParams) -> Result<InitializeResult> {
        Ok(InitializeResult::default())
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let text = params.content_changes.into_iter().map(|it| it.text).collect::<String>();
        assert_ne!(text, "panic");
        self.note(text);
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<Value>> {
        match params.command.as_str() {
            "until cancelled" => {
                cancellation().cancelled().await;
                Err(Error::request_cancelled())
            }
            "ask and finish" => {
                let applied = self.ask().await?.applied;
                Ok(Some(json!({"applied": applied, "cancelled": cancellation().is_cancelled()})))
            }
            _ => Err(Error::new(ErrorCode::InvalidParams)),
        }
    }
}
