//! What LSP has that our types do not know yet: put among the experimental capabilities, where they keep anything.

use serde_json::{Value, json};
use tower_lsp::jsonrpc::Request;

/// Under what it is kept there.
pub(crate) const KEPT: &str = "agentEdit.textDocumentContent";

/// `request` with what is newer in `initialize` (`workspace.textDocumentContent`, LSP 3.18) where it can be read.
pub(crate) fn arriving(request: Request) -> Request {
    if request.method() != "initialize" {
        return request;
    }
    let (method, id, params) = request.into_parts();
    let rebuilt = Request::build(method).params(params.map(with_newer).unwrap_or_default());
    match id {
        Some(id) => rebuilt.id(id).finish(),
        None => rebuilt.finish(),
    }
}

fn with_newer(mut params: Value) -> Value {
    let newer = params.pointer("/capabilities/workspace/textDocumentContent").cloned();
    if let (Some(newer), Some(Value::Object(capabilities))) = (newer, params.get_mut("capabilities")) {
        let kept = capabilities.entry("experimental").or_insert_with(|| json!({}));
        if let Value::Object(kept) = kept {
            kept.insert(KEPT.to_owned(), newer);
        }
    }
    params
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_newer_is_kept_and_what_is_there_stays() {
        let params = json!({"capabilities": {"workspace": {"textDocumentContent": {"dynamicRegistration": true}}}});
        assert_eq!(with_newer(params)["capabilities"]["experimental"][KEPT]["dynamicRegistration"], true);
        let odd = json!({"capabilities": {"experimental": 7, "workspace": {"textDocumentContent": {}}}});
        assert_eq!(with_newer(odd.clone()), odd);
        assert_eq!(with_newer(json!(null)), json!(null));
    }
}
