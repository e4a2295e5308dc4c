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
