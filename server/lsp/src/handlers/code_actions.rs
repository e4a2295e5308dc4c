//! What can be done at a place: the quick fixes of its conflicts, and taking back what was applied. Each carries a command,
//! never an edit: some clients apply an edit without looking at its version.

use std::sync::Arc;

use serde_json::Value;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Command, Diagnostic,
};

use crate::errors;
use crate::handlers::conflict_actions;
use crate::handlers::revert::{self, REVERT};
use crate::positions;
use crate::protocol::{RevertArguments, to_value};
use crate::refusal::Refusal;
use crate::server::Server;
use crate::snapshot;
use crate::uri_key::UriKey;

/// The request.
pub(crate) async fn code_actions(
    server: Arc<Server>,
    params: CodeActionParams,
) -> jsonrpc::Result<Option<CodeActionResponse>> {
    run(&server, &params).await.map_err(errors::error)
}

async fn run(server: &Arc<Server>, params: &CodeActionParams) -> Result<Option<CodeActionResponse>, Refusal> {
    let uri = &params.text_document.uri;
    let key = UriKey::of(uri.as_str());
    let (fixes, reverts) = (wants(params, &CodeActionKind::QUICKFIX), wants(params, &CodeActionKind::REFACTOR_REWRITE));
    let (fixes, reverts) =
        (fixes && !server.pending.of(&key).is_empty(), reverts && !server.applied.of(&key).is_empty());
    if !fixes && !reverts {
        return Ok(None);
    }
    // A document that cannot be edited now has nothing to be offered; why, it has been told.
    let Ok(seen) = snapshot::of(server, vec![(uri.as_str().to_owned(), key)]).await else { return Ok(None) };
    let seen = seen.into_iter().next().expect("one was asked for");
    let mut actions = if fixes { conflict_actions::at(server, &seen, params.range).await? } else { vec![] };
    if let Ok(span) = positions::span(&seen.text, params.range, server.profile().encoding)
        && reverts
    {
        let lines = positions::lines_of(&seen.text, span);
        actions.extend(revert::offers(server, &seen, lines).await?.into_iter().map(Action::revert));
    }
    let literals = server.profile().code_action_literals;
    Ok(Some(actions.into_iter().map(|it| it.on_the_wire(literals)).collect()))
}

/// Whether the client wants actions of this kind, which is also one of any kind above it.
fn wants(params: &CodeActionParams, kind: &CodeActionKind) -> bool {
    let above = |it: &CodeActionKind| {
        let rest = kind.as_str().strip_prefix(it.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || it.as_str().is_empty())
    };
    params.context.only.as_ref().is_none_or(|it| it.iter().any(above))
}

/// One action.
pub(crate) struct Action {
    pub title: String,
    pub command: &'static str,
    pub argument: Value,
    /// What it fixes, if it fixes something.
    pub fixes: Option<Diagnostic>,
    pub preference: Preference,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preference {
    Preferred,
    OneOfMany,
}

impl Action {
    fn revert((title, arguments): (String, RevertArguments)) -> Self {
        let (argument, preference) = (to_value(arguments), Preference::OneOfMany);
        Self { title, command: REVERT, argument, fixes: None, preference }
    }

    fn on_the_wire(self, literals: bool) -> CodeActionOrCommand {
        let command = Command::new(self.title.clone(), self.command.to_owned(), Some(vec![self.argument]));
        if !literals {
            return CodeActionOrCommand::Command(command);
        }
        CodeActionOrCommand::CodeAction(CodeAction {
            title: self.title,
            kind: Some(if self.fixes.is_some() { CodeActionKind::QUICKFIX } else { CodeActionKind::REFACTOR_REWRITE }),
            diagnostics: self.fixes.map(|it| vec![it]),
            is_preferred: (self.preference == Preference::Preferred).then_some(true),
            command: Some(command),
            ..CodeAction::default()
        })
    }
}
