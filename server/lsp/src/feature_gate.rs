//! The first thing that is looked at of a batch: whether it carries a field of a feature that was not negotiated. It
//! reads raw JSON, so that nothing else about the request decides.

use serde_json::Value;

use crate::features::{Agreed, Feature};
use crate::refusal::Refusal;

/// Fields of the request, with the features any of which unlocks them.
const REQUEST_FIELDS: [(&str, &[Feature]); 4] = [
    ("anchoring", &[Feature::OriginalAnchoring]),
    ("partialOnly", &[Feature::Policy]),
    ("lineEndings", &[Feature::Policy]),
    ("allowPlaceholders", &[Feature::Policy]),
];

/// Fields of one entry of `documents`.
const DOCUMENT_FIELDS: [(&str, &[Feature]); 4] = [
    ("expectedBaseSha256", &[Feature::ExpectedBaseSha256]),
    ("create", &[Feature::ResourceOperations]),
    ("delete", &[Feature::ResourceOperations]),
    ("rename", &[Feature::ResourceOperations]),
];

/// Fields of an entry's file operation.
const OPERATION_FIELDS: [(&str, &[Feature]); 1] = [("expectedBaseSha256", &[Feature::ExpectedBaseSha256])];

/// Fields of one edit.
const EDIT_FIELDS: [(&str, &[Feature]); 6] = [
    ("replaceAll", &[Feature::ReplaceAll]),
    ("expectedOccurrences", &[Feature::ReplaceAll]),
    ("from", &[Feature::LineEdits]),
    ("to", &[Feature::LineEdits]),
    ("expectedText", &[Feature::LineEdits]),
    ("atLine", &[Feature::LineEdits]),
];

/// Refuses `params` at the first field of a feature the two sides did not both name.
pub(crate) fn check(params: &Value, agreed: &Agreed) -> Result<(), Refusal> {
    let gate = Gate { agreed };
    gate.fields("", params, &REQUEST_FIELDS)?;
    gate.field("", params, "matching", &matching_features(params))?;
    gate.field("", params, "mode", &mode_features(params))?;
    gate.field("", params, "save", &[Feature::Save])?;
    for (number, document) in entries(params, "documents") {
        let path = format!("documents[{number}].");
        gate.fields(&path, document, &DOCUMENT_FIELDS)?;
        for operation in ["create", "delete", "rename"] {
            let Some(fields) = document.get(operation) else { continue };
            gate.fields(&format!("{path}{operation}."), fields, &OPERATION_FIELDS)?;
        }
        for (number, edit) in entries(document, "edits") {
            gate.fields(&format!("{path}edits[{number}]."), edit, &EDIT_FIELDS)?;
        }
    }
    Ok(())
}

/// The two matchings are features of their own. What is common to both, any of them unlocks.
fn matching_features(params: &Value) -> Vec<Feature> {
    match params.get("matching").and_then(Value::as_str) {
        Some("tolerant") => vec![Feature::TolerantMatch],
        Some("lenient") => vec![Feature::LenientMatch],
        _ => vec![Feature::TolerantMatch, Feature::LenientMatch],
    }
}

fn mode_features(params: &Value) -> Vec<Feature> {
    match params.get("mode").and_then(Value::as_str) {
        Some("preview") => vec![Feature::Preview],
        Some("review") => vec![Feature::Review],
        _ => vec![Feature::Preview, Feature::Review],
    }
}

/// The entries of an array that `value` has as a field, with their numbers.
pub(crate) fn entries<'a>(value: &'a Value, field: &str) -> impl Iterator<Item = (usize, &'a Value)> {
    value.get(field).and_then(Value::as_array).into_iter().flatten().enumerate()
}

struct Gate<'a> {
    agreed: &'a Agreed,
}

impl Gate<'_> {
    fn fields(&self, path: &str, value: &Value, fields: &[(&str, &[Feature])]) -> Result<(), Refusal> {
        fields.iter().try_for_each(|(field, needs)| self.field(path, value, field, needs))
    }

    fn field(&self, path: &str, value: &Value, field: &str, needs: &[Feature]) -> Result<(), Refusal> {
        match value.get(field) {
            Some(_) if !needs.iter().any(|&it| self.agreed.has(it)) => {
                Err(Refusal::UnsupportedFeature { field: format!("{path}{field}"), needs: needs.to_vec() })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check_gate(features: &[&str], params: &Value, refused: Option<&str>) {
        let named: Vec<String> = features.iter().map(|&it| it.to_owned()).collect();
        let field = match check(params, &Agreed::with(&named)) {
            Ok(()) => None,
            Err(Refusal::UnsupportedFeature { field, .. }) => Some(field),
            Err(other) => panic!("{other:?}"),
        };
        assert_eq!(field.as_deref(), refused);
    }

    #[test]
    fn plain_find_and_replace_needs_no_negotiation() {
        let edits = json!([{"oldText": "a", "newText": "b"}]);
        check_gate(&[], &json!({"documents": [{"textDocument": {"uri": "a:b", "version": 1}, "edits": edits}]}), None);
        check_gate(&[], &json!({"agent": "x", "label": "y", "documents": []}), None);
    }

    #[test]
    fn even_a_default_needs_its_feature() {
        check_gate(&[], &json!({"matching": "exact"}), Some("matching"));
        check_gate(&["tolerant_match"], &json!({"matching": "exact"}), None);
        check_gate(&["tolerant_match"], &json!({"matching": "lenient"}), Some("matching"));
        check_gate(&["lenient_match"], &json!({"matching": "tolerant"}), Some("matching"));
        check_gate(&["preview"], &json!({"mode": "apply"}), None);
        check_gate(&[], &json!({"mode": "apply"}), Some("mode"));
        check_gate(&["preview"], &json!({"mode": "review"}), Some("mode"));
        check_gate(&["review"], &json!({"mode": "review"}), None);
        check_gate(&[], &json!({"partialOnly": false}), Some("partialOnly"));
    }

    #[test]
    fn the_field_is_named_with_its_path() {
        let edits = json!([{"oldText": "a", "newText": "b"}, {"oldText": "a", "newText": "b", "replaceAll": false}]);
        let params = json!({"documents": [{"edits": []}, {"edits": edits}]});
        check_gate(&["policy"], &params, Some("documents[1].edits[1].replaceAll"));
        check_gate(&["replace_all"], &params, None);
        check_gate(&[], &json!({"documents": [{"create": {}}]}), Some("documents[0].create"));
    }

    #[test]
    fn the_fence_of_a_file_operation_is_a_feature_of_its_own() {
        let params = json!({"documents": [{"delete": {"uri": "file:///a", "expectedBaseSha256": ""}}]});
        check_gate(&["resource_operations"], &params, Some("documents[0].delete.expectedBaseSha256"));
        check_gate(&["resource_operations", "expected_base_sha256"], &params, None);
    }
}
