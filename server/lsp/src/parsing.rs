//! JSON as one of our types, or the path of what is wrong with it in the words of the protocol.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::refusal::Refusal;

/// `value` as a `T`, which is an object, or the path of what is wrong with it.
pub(crate) fn parsed<T: DeserializeOwned>(value: Value) -> Result<T, Refusal> {
    is_object("params", &value)?;
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        Refusal::InvalidParams(wrong_field(&path, &error.inner().to_string()))
    })
}

/// serde's message in the words of the protocol: `invalid type: integer `3`, expected a string` after its path, and a
/// missing field by its own.
fn wrong_field(path: &str, message: &str) -> String {
    let path = if path == "." { "" } else { path };
    if let Some(field) = message.strip_prefix("missing field `").and_then(|it| it.strip_suffix('`')) {
        let dot = if path.is_empty() { "" } else { "." };
        return format!("{path}{dot}{field}: missing");
    }
    let expected = match message.rsplit_once("expected ").map(|it| it.1) {
        None => message.to_owned(),
        Some("u32") if message.starts_with("invalid value") => format!("expected a number from 0 to {}", u32::MAX),
        Some("u32" | "u64" | "usize") => "expected a number from 0".to_owned(),
        Some("i32") if message.starts_with("invalid value") => "expected an integer of 32 bits".to_owned(),
        Some("i32") => "expected an integer".to_owned(),
        Some("a sequence") => "expected an array".to_owned(),
        Some(other) if other.starts_with("struct ") => "expected an object".to_owned(),
        Some(other) => format!("expected {other}"),
    };
    format!("{}: {expected}", if path.is_empty() { "params" } else { path })
}

/// Refuses what stands at `path` and is no object. An array of the fields' values would be taken for one by serde.
pub(crate) fn is_object(path: &str, value: &Value) -> Result<(), Refusal> {
    match value.is_object() {
        true => Ok(()),
        false => Err(Refusal::InvalidParams(format!("{path}: expected an object"))),
    }
}
