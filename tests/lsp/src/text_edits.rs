//! `TextEdit[]` as the server sends them: checked without mercy, then applied.

use std::ops::Range;

use serde_json::Value;

use crate::positions::{Encoding, span};

/// What stands in these bytes is replaced.
pub(crate) type Replacement = (Range<usize>, String);

/// The replacements of `edits` in `text`, sorted.
///
/// # Errors
/// What is wrong with them: a shape, a place that does not exist, an overlap, an order.
pub(crate) fn replacements(text: &str, encoding: Encoding, edits: &Value) -> Result<Vec<Replacement>, String> {
    let edits = edits.as_array().ok_or("`edits` is no array")?;
    if edits.is_empty() {
        return Err("a document edit without edits".to_owned());
    }
    let mut found: Vec<Replacement> = vec![];
    for edit in edits {
        let new_text = edit["newText"].as_str().ok_or_else(|| format!("{edit} has no newText"))?;
        let span = span(text, encoding, &edit["range"])?;
        if text[span.clone()] == *new_text {
            return Err(format!("{edit} changes nothing"));
        }
        if found.last().is_some_and(|it| it.0.end > span.start) {
            return Err(format!("{edit} overlaps the one before it, or stands before it"));
        }
        if found.last().is_some_and(|it| it.0 == span) {
            return Err(format!("{edit} inserts where the one before it inserts"));
        }
        if found.last().is_some_and(|it| it.0.end == span.start && (it.0.is_empty() || span.is_empty())) {
            return Err(format!("{edit} inserts where the one before it ends: not all editors take these in order"));
        }
        found.push((span, new_text.to_owned()));
    }
    Ok(found)
}

/// `text` with the sorted `replacements` made.
#[cfg(test)]
pub(crate) fn applied(text: &str, replacements: &[Replacement]) -> String {
    let mut text = text.to_owned();
    for (span, new_text) in replacements.iter().rev() {
        text.replace_range(span.clone(), new_text);
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{applied, replacements};
    use crate::positions::Encoding;

    fn edit(from: (u32, u32), to: (u32, u32), new_text: &str) -> Value {
        json!({"range": {"start": {"line": from.0, "character": from.1}, "end": {"line": to.0, "character": to.1}}, "newText": new_text})
    }

    #[test]
    fn edits_are_made() {
        let edits = json!([edit((0, 0), (0, 1), "A"), edit((1, 0), (2, 0), "")]);
        let found = replacements("a\nb\nc", Encoding::Utf16, &edits).unwrap();
        assert_eq!(applied("a\nb\nc", &found), "A\nc");
    }

    #[test]
    fn bad_edits_are_told() {
        for edits in [
            json!([]),
            json!([edit((0, 0), (0, 9), "x")]),
            json!([edit((0, 1), (0, 0), "x")]),
            json!([edit((0, 0), (0, 1), "a")]),
            json!([edit((1, 0), (1, 1), "x"), edit((0, 0), (0, 1), "x")]),
            json!([edit((0, 0), (1, 0), "x"), edit((0, 1), (1, 1), "x")]),
            json!([edit((0, 0), (0, 0), "x"), edit((0, 0), (0, 0), "y")]),
            json!([edit((0, 0), (0, 1), "A"), edit((0, 1), (0, 1), "+")]),
            json!([edit((0, 0), (0, 0), "+"), edit((0, 0), (0, 1), "A")]),
        ] {
            assert!(replacements("a\nb\nc", Encoding::Utf16, &edits).is_err(), "{edits}");
        }
    }
}
