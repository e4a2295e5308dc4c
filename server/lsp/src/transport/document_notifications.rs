//! The notifications that keep our text equal to the editor's. The router drops one whose parameters do not parse without
//! a word, so they are tried here first.

use serde::Deserialize;
use serde_json::Value;
use tower_lsp::jsonrpc::Request;
use tower_lsp::ls_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Notification,
};

type Try = fn(&Value) -> Result<(), serde_json::Error>;

const ALL: [(&str, Try); 4] = [
    (DidOpenTextDocument::METHOD, parses::<DidOpenTextDocument>),
    (DidChangeTextDocument::METHOD, parses::<DidChangeTextDocument>),
    (DidSaveTextDocument::METHOD, parses::<DidSaveTextDocument>),
    (DidCloseTextDocument::METHOD, parses::<DidCloseTextDocument>),
];

fn parses<N: Notification>(params: &Value) -> Result<(), serde_json::Error> {
    N::Params::deserialize(params).map(drop)
}

/// Whether `method` is one of them.
pub(crate) fn is_one(method: &str) -> bool {
    ALL.iter().any(|(it, _)| *it == method)
}

/// Why `call` will not reach its handler, if it is one of them and will not.
pub(crate) fn fault(call: &Request) -> Option<String> {
    let (_, parses) = ALL.iter().find(|(it, _)| *it == call.method())?;
    if call.id().is_some() {
        return Some("a notification has no `id`".to_owned());
    }
    parses(call.params().unwrap_or(&Value::Null)).err().map(|it| it.to_string())
}

/// The document that `call` is about.
pub(crate) fn uri(call: &Request) -> Option<String> {
    call.params()?["textDocument"]["uri"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tower_lsp::jsonrpc::Request;

    use super::fault;

    #[track_caller]
    fn check(method: &'static str, params: Value, expected: Option<&str>) {
        let found = fault(&Request::build(method).params(params).finish());
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn what_would_be_dropped_is_found() {
        let change = |document: Value| json!({"textDocument": document, "contentChanges": [{"text": ""}]});
        check("textDocument/didChange", change(json!({"uri": "file:///a", "version": 1})), None);
        check("textDocument/didChange", change(json!({"uri": "file:///a"})), Some("missing field `version`"));
        check("textDocument/didClose", json!({"textDocument": {"uri": "file:///a"}}), None);
        check(
            "textDocument/didClose",
            Value::Null,
            Some("invalid type: null, expected struct DidCloseTextDocumentParams"),
        );
        check("textDocument/hover", Value::Null, None);
    }

    #[test]
    fn a_notification_that_asks_for_an_answer_is_none() {
        let params = json!({"textDocument": {"uri": "file:///a"}});
        let call = Request::build("textDocument/didClose").params(params).id(1).finish();
        assert_eq!(fault(&call).as_deref(), Some("a notification has no `id`"));
    }
}
