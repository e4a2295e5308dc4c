//! One body, read once: a call, a reply, or the reason why it is neither, with all that can still be told of it.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::{StreamDeserializer, Value};
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};

use crate::transport::remains::Remains;

/// What the client sent.
#[derive(Debug, PartialEq)]
pub(crate) enum Message {
    /// A request or a notification.
    Call(Request),
    /// Its answer to a request of ours.
    Reply(Response),
}

/// Why a body is no message.
#[derive(Debug, PartialEq)]
pub(crate) struct Refused {
    pub code: ErrorCode,
    pub reason: String,
    /// What could be made out all the same.
    pub remains: Remains,
    /// Where the body's JSON ends and something else follows, so that its length must be wrong.
    pub rest: Option<usize>,
}

/// Reads `body`.
///
/// # Errors
/// It is not JSON, or no message of JSON-RPC as LSP narrows it.
pub(crate) fn read(body: &[u8]) -> Result<Message, Box<Refused>> {
    tracing::trace!(message = %String::from_utf8_lossy(body), "read");
    let refuse = |code, reason, rest| Box::new(Refused { code, reason, remains: Remains::of(body), rest });
    let mut json = serde_json::Deserializer::from_slice(body);
    let envelope = Members.deserialize(&mut json).map_err(|it| match it.classify() {
        Category::Data => refuse(ErrorCode::InvalidRequest, it.to_string(), None),
        _ => refuse(ErrorCode::ParseError, it.to_string(), None),
    })?;
    json.end().map_err(|it| refuse(ErrorCode::ParseError, it.to_string(), end_of_json(body)))?;
    message(envelope).map_err(|it| refuse(ErrorCode::InvalidRequest, it.to_owned(), None))
}

fn end_of_json(body: &[u8]) -> Option<usize> {
    let mut values: StreamDeserializer<'_, _, IgnoredAny> = serde_json::Deserializer::from_slice(body).into_iter();
    values.next()?.ok()?;
    Some(values.byte_offset())
}

/// The members of a message, each `None` where it does not stand.
#[derive(Debug, Default)]
struct Envelope {
    jsonrpc: Option<Value>,
    id: Option<Value>,
    method: Option<Value>,
    params: Option<Value>,
    result: Option<Value>,
    error: Option<Value>,
}

fn message(envelope: Envelope) -> Result<Message, &'static str> {
    let Envelope { jsonrpc, id, method, params, result, error } = envelope;
    let jsonrpc_holds = jsonrpc.is_some_and(|it| it == "2.0");
    let Some(method) = method else {
        let id = id.as_ref().ok_or("neither `method` nor `id`")?;
        return Ok(Message::Reply(Response::from_parts(read_id(id).unwrap_or(Id::Null), outcome(result, error))));
    };
    let Value::String(method) = method else { return Err("`method` is not a string") };
    if !jsonrpc_holds {
        return Err("`jsonrpc` is not \"2.0\"");
    }
    let mut request = Request::build(method);
    if let Some(id) = id {
        request = request.id(read_id(&id).ok_or("`id` is neither an integer nor a string")?);
    }
    match params {
        None => {}
        Some(params @ (Value::Object(_) | Value::Array(_) | Value::Null)) => request = request.params(params),
        Some(_) => return Err("`params` is neither an object nor an array"),
    }
    Ok(Message::Call(request.finish()))
}

/// A reply that cannot be understood is a failure to whoever waits for it: nothing else would end the waiting.
fn outcome(result: Option<Value>, error: Option<Value>) -> Result<Value, Error> {
    let mut failure = Error::internal_error();
    match (error, result) {
        (None | Some(Value::Null), Some(result)) => return Ok(result),
        (None | Some(Value::Null), None) => failure.message = "the reply has neither `result` nor `error`".into(),
        (Some(error), _) => {
            if let Some(code) = error["code"].as_i64() {
                failure.code = code.into();
            }
            failure.message =
                error["message"].as_str().unwrap_or("the reply's `error` has no message").to_owned().into();
            failure.data = error.get("data").cloned();
        }
    }
    Err(failure)
}

/// The id that a value is.
pub(crate) fn read_id(value: &Value) -> Option<Id> {
    /// Up to here a double is an integer without doubt, and some clients know no other number.
    const EXACT: f64 = (1_u64 << 53) as f64;
    match value {
        Value::String(it) => Some(Id::String(it.clone())),
        Value::Number(it) => it
            .as_i64()
            .or_else(|| it.as_f64().filter(|it| it.fract() == 0.0 && it.abs() < EXACT).map(|it| it as i64))
            .map(Id::Number),
        _ => None,
    }
}

struct Members;

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Member {
    Jsonrpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    #[serde(other)]
    Unknown,
}

impl<'de> DeserializeSeed<'de> for Members {
    type Value = Envelope;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Envelope, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members {
    type Value = Envelope;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an object that is one message (LSP has no batches)")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<Envelope, M::Error> {
        let mut envelope = Envelope::default();
        while let Some(member) = members.next_key()? {
            let place = match member {
                Member::Jsonrpc => &mut envelope.jsonrpc,
                Member::Id => &mut envelope.id,
                Member::Method => &mut envelope.method,
                Member::Params => &mut envelope.params,
                Member::Result => &mut envelope.result,
                Member::Error => &mut envelope.error,
                Member::Unknown => {
                    members.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            if place.replace(members.next_value()?).is_some() {
                return Err(M::Error::custom("a member stands twice"));
            }
        }
        Ok(envelope)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};

    use super::{Message, read};

    fn call(body: Value) -> Request {
        match read(body.to_string().as_bytes()) {
            Ok(Message::Call(call)) => call,
            other => panic!("{other:?}"),
        }
    }

    fn reply(body: Value) -> Result<Value, Error> {
        match read(body.to_string().as_bytes()) {
            Ok(Message::Reply(reply)) => reply.into_parts().1,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn refused(body: &[u8], code: i64, reason: &str, id: Option<Id>) {
        let refused = read(body).expect_err("it is no message");
        assert_eq!((refused.code, refused.remains.id), (ErrorCode::from(code), id));
        assert!(refused.reason.contains(reason), "{}", refused.reason);
    }

    #[test]
    fn calls_are_what_the_library_would_read() {
        for body in [
            json!({"jsonrpc": "2.0", "id": 1, "method": "a", "params": {"b": [1, "c"]}}),
            json!({"jsonrpc": "2.0", "id": "x", "method": "a", "params": [1]}),
            json!({"jsonrpc": "2.0", "id": i64::MIN, "method": "a", "params": null}),
            json!({"jsonrpc": "2.0", "method": "a"}),
        ] {
            assert_eq!(call(body.clone()), serde_json::from_value(body).unwrap());
        }
        // More members than LSP knows, and an integer of a client that has only doubles.
        let read = call(json!({"id": 7.0, "jsonrpc": "2.0", "extra": [[]], "method": "a"}));
        assert_eq!(read, Request::build("a").id(7).finish());
    }

    #[test]
    fn replies_end_the_waiting_whatever_they_hold() {
        assert_eq!(reply(json!({"jsonrpc": "2.0", "id": 1, "result": null})), Ok(Value::Null));
        assert_eq!(reply(json!({"id": 1, "result": {"applied": true}, "error": null})), Ok(json!({"applied": true})));
        let told = |body| reply(body).unwrap_err();
        let error =
            told(json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -5, "message": "no", "data": [1], "x": 2}}));
        assert_eq!(error, Error { code: (-5).into(), message: "no".into(), data: Some(json!([1])) });
        assert_eq!(told(json!({"jsonrpc": "2.0", "id": 1})).message, "the reply has neither `result` nor `error`");
        assert_eq!(
            told(json!({"jsonrpc": "2.0", "id": 1, "error": "no"})).message,
            "the reply's `error` has no message"
        );
        let no_id = json!({"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": "what?"}});
        let Ok(Message::Reply(reply)) = read(no_id.to_string().as_bytes()) else { panic!("it is one") };
        assert_eq!(*Response::id(&reply), Id::Null);
    }

    #[test]
    fn what_is_not_json_is_a_parse_error() {
        refused(b"", -32700, "EOF while parsing a value", None);
        refused(br#"{"jsonrpc":"2.0","id":5,"method":"a","params":{"b":}}"#, -32700, "expected value", Some(5.into()));
        refused(br#"{"jsonrpc":"2.0","id":"5","method":"a"#, -32700, "EOF while parsing a string", Some("5".into()));
        refused(
            b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"\xff\"}",
            -32700,
            "invalid unicode code point",
            Some(5.into()),
        );
        refused(br#"{"id":5,"method":"\ud800"}"#, -32700, "unexpected end of hex escape", Some(5.into()));
        refused(b"{\"id\":5,\"method\":\"a\nb\"}", -32700, "control character", Some(5.into()));
        refused(br#"{"id":5,"method":"a","params":[1e999]}"#, -32700, "number out of range", Some(5.into()));
    }

    #[test]
    fn what_is_json_but_no_message_is_an_invalid_request() {
        refused(b"[]", -32600, "LSP has no batches", None);
        refused(br#"[{"jsonrpc":"2.0","id":1,"method":"a"}]"#, -32600, "LSP has no batches", None);
        refused(b"17", -32600, "an object that is one message", None);
        refused(b"{}", -32600, "neither `method` nor `id`", None);
        refused(br#"{"id":5,"method":"a"}"#, -32600, "`jsonrpc` is not \"2.0\"", Some(5.into()));
        refused(br#"{"jsonrpc":"1.0","id":5,"method":"a"}"#, -32600, "`jsonrpc` is not \"2.0\"", Some(5.into()));
        refused(br#"{"jsonrpc":2,"id":5,"method":"a"}"#, -32600, "`jsonrpc` is not \"2.0\"", Some(5.into()));
        refused(br#"{"jsonrpc":"2.0","id":5,"method":7}"#, -32600, "`method` is not a string", Some(5.into()));
        refused(br#"{"jsonrpc":"2.0","id":5,"method":"a","params":7}"#, -32600, "`params` is neither", Some(5.into()));
        refused(
            br#"{"jsonrpc":"2.0","id":5,"method":"a","method":"b"}"#,
            -32600,
            "a member stands twice",
            Some(5.into()),
        );
        for id in ["1.5", "null", "true", "{}", "[1]", "1e30", "18446744073709551615"] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"a"}}"#);
            refused(body.as_bytes(), -32600, "`id` is neither an integer nor a string", None);
        }
    }

    #[test]
    fn a_body_that_goes_on_after_its_json_says_where() {
        let body = br#"{"jsonrpc":"2.0","id":5,"method":"a"}  Content-Le"#;
        refused(body, -32700, "trailing characters", Some(5.into()));
        assert_eq!(read(body).unwrap_err().rest, Some(37));
        assert_eq!(read(b"{} ").unwrap_err().rest, None);
    }

    #[test]
    fn nesting_has_a_limit_that_costs_nothing() {
        const DEEP: usize = 5_000_000;
        let (open, close) = ("[".repeat(DEEP), "]".repeat(DEEP));
        let body = format!(r#"{{"jsonrpc":"2.0","method":"a","params":{open}{close},"id":5}}"#);
        refused(body.as_bytes(), -32700, "recursion limit exceeded", Some(5.into()));
        refused(open.as_bytes(), -32600, "LSP has no batches", None);
        refused(r#"{"params":"#.repeat(DEEP).as_bytes(), -32700, "recursion limit exceeded", None);
    }
}
