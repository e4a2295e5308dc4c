//! What can be told of a message that cannot be read: whom to answer, and which document may now be out of step.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use tower_lsp::jsonrpc::Id;

use crate::transport::message::read_id;

/// The members that could be read before the text broke off or made no sense.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Remains {
    pub id: Option<Id>,
    pub method: Option<String>,
    /// `params.textDocument.uri`.
    pub uri: Option<String>,
    /// A `result` or an `error` stands in it: it was to answer a request of ours.
    pub is_reply: bool,
}

impl Remains {
    /// What can be told of `text`, which may be cut off anywhere. Linear, at any depth of nesting.
    pub(crate) fn of(text: &[u8]) -> Self {
        let mut remains = Self::default();
        // An error ends the reading; what was found until then stays.
        let _ = Search { remains: &mut remains, place: Place::Message }
            .deserialize(&mut serde_json::Deserializer::from_slice(text));
        remains
    }
}

/// Where in the message a value stands.
#[derive(Clone, Copy)]
enum Place {
    Message,
    Params,
    TextDocument,
}

/// Looks through one value for what belongs to [`Remains`].
struct Search<'a> {
    remains: &'a mut Remains,
    place: Place,
}

impl<'de> DeserializeSeed<'de> for Search<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Search<'_> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("anything")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<(), M::Error> {
        let Search { remains, place } = self;
        while let Some(name) = members.next_key::<String>()? {
            match (place, name.as_str()) {
                (Place::Message, "id") => remains.id = read_id(&members.next_value::<Value>()?),
                (Place::Message, "method") => {
                    remains.method = members.next_value::<Value>()?.as_str().map(str::to_owned)
                }
                (Place::Message, "params") => members.next_value_seed(Search { remains, place: Place::Params })?,
                (Place::Message, "result" | "error") => {
                    remains.is_reply = true;
                    members.next_value::<IgnoredAny>()?;
                }
                (Place::Params, "textDocument") => {
                    members.next_value_seed(Search { remains, place: Place::TextDocument })?;
                }
                (Place::TextDocument, "uri") => {
                    remains.uri = members.next_value::<Value>()?.as_str().map(str::to_owned)
                }
                _ => {
                    members.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut elements: S) -> Result<(), S::Error> {
        match self.place {
            Place::Message => Err(S::Error::custom("several messages")),
            _ => {
                while elements.next_element::<IgnoredAny>()?.is_some() {}
                Ok(())
            }
        }
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Remains;

    #[track_caller]
    fn check(text: &str, id: Option<i64>, method: Option<&str>, uri: Option<&str>) {
        let expected = Remains {
            id: id.map(Into::into),
            method: method.map(str::to_owned),
            uri: uri.map(str::to_owned),
            is_reply: text.contains("result") || text.contains("error"),
        };
        assert_eq!(Remains::of(text.as_bytes()), expected);
    }

    #[test]
    fn what_stands_before_the_break_is_told() {
        let text =
            r#"{"jsonrpc":"2.0","method":"m","params":{"textDocument":{"version":1,"uri":"u","text":"abc"}},"id":5}"#;
        check(text, Some(5), Some("m"), Some("u"));
        check(&text[..text.len() - 1], Some(5), Some("m"), Some("u"));
        check(&text[..text.find("abc").unwrap()], None, Some("m"), Some("u"));
        check(&text[..text.find("u\"").unwrap()], None, Some("m"), None);
        check(&text[..20], None, None, None);
    }

    #[test]
    fn members_of_the_wrong_kind_are_passed_over() {
        check(r#"{"params":[1,{"textDocument":{"uri":"u"}}],"method":7,"id":5}"#, Some(5), None, None);
        check(r#"{"params":"p","method":"m","id":1.5}"#, None, Some("m"), None);
        check(r#"{"params":{"textDocument":[{"uri":"u"}],"uri":"v"},"method":"m"}"#, None, Some("m"), None);
        check(r#"{"params":{"textDocument":null,"a":true,"b":1.5,"c":-1},"method":"m"}"#, None, Some("m"), None);
        check(r#"{"id":5,"result":{"a":[]},x"#, Some(5), None, None);
        check(r#"[{"id":5,"method":"m"}]"#, None, None, None);
    }
}
