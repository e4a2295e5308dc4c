//! Small batches, for tests to build on.

use serde_json::{Value, json};

/// One document of a batch, with find/replace edits.
#[must_use]
pub fn document(uri: &str, edits: &[(&str, &str)]) -> Value {
    let edits: Vec<_> = edits.iter().map(|it| json!({"oldText": it.0, "newText": it.1})).collect();
    json!({"textDocument": {"uri": uri}, "edits": edits})
}

/// A batch of exact find/replace edits for one document.
#[must_use]
pub fn batch(uri: &str, edits: &[(&str, &str)]) -> Value {
    json!({"documents": [document(uri, edits)]})
}
