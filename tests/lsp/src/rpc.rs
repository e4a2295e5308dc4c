//! JSON-RPC 2.0 messages: made, told apart, checked.

use serde_json::{Map, Value, json};

/// What a message is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// It wants an answer.
    Request {
        /// Its id.
        id: Value,
        /// What it asks for.
        method: String,
    },
    /// It wants none.
    Notification {
        /// What it tells.
        method: String,
    },
    /// It answers.
    Response {
        /// The id of what it answers; `null` where that could not be read.
        id: Value,
    },
}

/// A request. `Null` stands for no parameters.
#[must_use]
pub fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    let mut message = notification(method, params);
    message["id"] = id.into();
    message
}

/// A notification. `Null` stands for no parameters.
#[must_use]
pub fn notification(method: &str, params: Value) -> Value {
    match params {
        Value::Null => json!({"jsonrpc": "2.0", "method": method}),
        _ => json!({"jsonrpc": "2.0", "method": method, "params": params}),
    }
}

/// An answer with a result.
#[must_use]
pub fn response(id: &Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// An answer with an error.
#[must_use]
pub fn response_error(id: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// What `message` is.
///
/// # Errors
/// What is wrong with it by JSON-RPC 2.0 as LSP narrows it.
pub fn kind(message: &Value) -> Result<Kind, String> {
    let fields = message.as_object().ok_or("not an object")?;
    if fields.get("jsonrpc") != Some(&json!("2.0")) {
        return Err("`jsonrpc` is not \"2.0\"".to_owned());
    }
    let known = ["jsonrpc", "id", "method", "params", "result", "error"];
    if let Some(name) = fields.keys().find(|it| !known.contains(&it.as_str())) {
        return Err(format!("an unknown field `{name}`"));
    }
    match fields.get("method") {
        Some(Value::String(method)) => asking(fields, method),
        Some(_) => Err("`method` is no string".to_owned()),
        None => answering(fields),
    }
}

fn asking(fields: &Map<String, Value>, method: &str) -> Result<Kind, String> {
    if fields.contains_key("result") || fields.contains_key("error") {
        return Err("both `method` and an answer".to_owned());
    }
    if fields.get("params").is_some_and(|it| !it.is_object() && !it.is_array()) {
        return Err("`params` is neither object nor array".to_owned());
    }
    let method = method.to_owned();
    match fields.get("id") {
        None => Ok(Kind::Notification { method }),
        Some(id) if id.is_string() || id.is_i64() => Ok(Kind::Request { id: id.clone(), method }),
        Some(id) => Err(format!("the id of a request is {id}")),
    }
}

fn answering(fields: &Map<String, Value>) -> Result<Kind, String> {
    let id = fields.get("id").ok_or("neither `method` nor `id`")?;
    match (fields.get("result"), fields.get("error")) {
        (Some(_), None) if !id.is_null() => Ok(Kind::Response { id: id.clone() }),
        (None, Some(error)) if error["code"].is_i64() && error["message"].is_string() => {
            Ok(Kind::Response { id: id.clone() })
        }
        _ => Err("not exactly one of `result` and a whole `error`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Kind, kind};

    #[test]
    fn messages_are_told_apart() {
        assert_eq!(
            kind(&json!({"jsonrpc": "2.0", "id": 1, "method": "m", "params": {}})),
            Ok(Kind::Request { id: json!(1), method: "m".to_owned() })
        );
        assert_eq!(kind(&json!({"jsonrpc": "2.0", "method": "m"})), Ok(Kind::Notification { method: "m".to_owned() }));
        assert_eq!(kind(&json!({"jsonrpc": "2.0", "id": "a", "result": null})), Ok(Kind::Response { id: json!("a") }));
    }

    #[test]
    fn what_is_no_message_is_told() {
        for message in [
            json!([]),
            json!({"id": 1, "method": "m"}),
            json!({"jsonrpc": "2.0", "id": 1}),
            json!({"jsonrpc": "2.0", "id": 1, "result": 1, "error": {"code": 1, "message": ""}}),
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}),
            json!({"jsonrpc": "2.0", "id": 1.5, "method": "m"}),
            json!({"jsonrpc": "2.0", "id": null, "result": 1}),
            json!({"jsonrpc": "2.0", "method": "m", "params": 1}),
            json!({"jsonrpc": "2.0", "method": "m", "extra": 1}),
        ] {
            assert!(kind(&message).is_err(), "{message}");
        }
    }
}
