//! Failing edits as diagnostics where the server has published none, as for a preview: nobody asked for that to be done.

use serde_json::{Value, json};
use tower_lsp::ls_types::{Diagnostic, NumberOrString, Range, Uri};

/// The failures in `uri`, each at the places the error names, else at the start of the document.
pub(crate) fn diagnostics(uri: &Uri, failures: &[Value]) -> Vec<Diagnostic> {
    failures.iter().filter(|it| it["uri"] == uri.as_str()).flat_map(of_failure).collect()
}

fn of_failure(failure: &Value) -> Vec<Diagnostic> {
    let range = |it: &Value| serde_json::from_value::<Range>(it.clone()).unwrap_or_default();
    let ranges: Vec<Range> = match failure["locations"].as_array() {
        Some(locations) => locations.iter().map(range).collect(),
        None => vec![range(&failure["candidate"]["range"])],
    };
    let diagnostic = |range| Diagnostic {
        range,
        code: failure["kind"].as_str().map(|it| NumberOrString::String(it.to_owned())),
        message: failure["message"].as_str().unwrap_or_default().to_owned(),
        data: Some(json!({"edit": failure["edit"]})),
        ..Diagnostic::default()
    };
    ranges.into_iter().map(diagnostic).collect()
}
