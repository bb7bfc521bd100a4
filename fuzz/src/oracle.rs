//! What a text is as JSON-RPC, told by `serde_json` and the specification alone: nothing here is shared with the runtime.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// What becomes of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Message {
    /// The text is not JSON.
    NotJson,
    /// It is JSON and no message; the error carries the id if there is one.
    Refused(Option<String>),
    /// A request: its id as it stands there.
    Request(String),
    Notification(String),
    Response,
    /// An array: its elements.
    Batch(Vec<Message>),
}

/// Is the text JSON?
pub(crate) fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// What a text is.
pub(crate) fn read(text: &str) -> Message {
    match text.trim_start_matches([' ', '\t', '\n', '\r']).chars().next() {
        Some('[') => match serde_json::from_str::<Vec<&RawValue>>(text) {
            Ok(elements) => Message::Batch(elements.iter().map(|element| read_one(element.get())).collect()),
            Err(_) => Message::NotJson,
        },
        _ => read_one(text),
    }
}

fn read_one(text: &str) -> Message {
    if !is_json(text) {
        return Message::NotJson;
    }
    match serde_json::from_str::<Members<'_>>(text) {
        Ok(members) => members.message(),
        Err(_) => Message::Refused(None),
    }
}

/// The members of an object in order, repeated ones too. Names are bytes: an escape may be half of a character.
pub(crate) struct Members<'a>(pub(crate) Vec<(Vec<u8>, &'a RawValue)>);

impl<'a> Members<'a> {
    /// The value of a member that stands there once; an error if it does so several times.
    pub(crate) fn get(&self, name: &str) -> Result<Option<&'a str>, ()> {
        let mut values = self.0.iter().filter(|(known, _)| known == name.as_bytes()).map(|(_, value)| value.get());
        match (values.next(), values.next()) {
            (first, None) => Ok(first),
            _ => Err(()),
        }
    }

    fn message(&self) -> Message {
        let Ok(id) = self.get("id") else { return Message::Refused(None) };
        let usable = id.filter(|id| is_id(id)).map(str::to_owned);
        let all = ["jsonrpc", "method", "params", "result", "error"].map(|name| self.get(name));
        let [Ok(version), Ok(method), Ok(_), Ok(result), Ok(error)] = all else { return Message::Refused(usable) };
        let is_text = |value: Option<&str>| value.is_none_or(|value| text(value).is_some());
        if !is_text(version) || !is_text(method) || version.and_then(text).as_deref() != Some("2.0") {
            return Message::Refused(usable);
        }
        let nobody = id.is_none_or(|id| id == "null");
        if nobody && error.is_some() && method.is_none() && result.is_none() {
            return Message::Response;
        }
        match (id, usable, method, result, error) {
            (Some(_), None, ..) => Message::Refused(None),
            (_, Some(id), Some(_), None, None) => Message::Request(id),
            (None, _, Some(method), None, None) => Message::Notification(text(method).unwrap_or_default()),
            (_, Some(_), None, Some(_), None) | (_, Some(_), None, None, Some(_)) => Message::Response,
            (_, usable, ..) => Message::Refused(usable),
        }
    }
}

/// The text of a JSON string.
pub(crate) fn text(json: &str) -> Option<String> {
    serde_json::from_str(json).ok()
}

/// A string or an integer.
fn is_id(json: &str) -> bool {
    json.starts_with('"')
        || (json.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
            && !json.contains(['.', 'e', 'E']))
}

struct Name(Vec<u8>);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Name;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Name, E> {
                Ok(Name(bytes.to_vec()))
            }

            fn visit_str<E>(self, text: &str) -> Result<Name, E> {
                Ok(Name(text.as_bytes().to_vec()))
            }
        }
        deserializer.deserialize_bytes(Bytes)
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// Tries the oracle itself on texts that are known.
///
/// # Panics
/// It is wrong.
pub(crate) fn try_out() {
    let request = |id: &str| Message::Request(id.to_owned());
    let refused = |id: &str| Message::Refused(Some(id.to_owned()));
    for (text, message) in [
        (r#"{"jsonrpc":"2.0","id":1,"method":"a"}"#, request("1")),
        (r#"{"jsonrpc":"2.0","id":1.0,"method":"a"}"#, Message::Refused(None)),
        (r#"{"jsonrpc":"2.0","\u0069d":1,"method":"a"}"#, request("1")),
        (r#"{"jsonrpc":"2.0","\ud800":1,"id":"\ud800","method":"a"}"#, request(r#""\ud800""#)),
        (r#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#, refused("1")),
        (r#"{"jsonrpc":"2.0","id":1,"method":"a","method":"a"}"#, refused("1")),
        (r#"{"jsonrpc":"2.0","id":1,"id":1,"method":"a"}"#, Message::Refused(None)),
        (r#"{"jsonrpc":"2.0","method":"a"}"#, Message::Notification("a".to_owned())),
        (r#"{"jsonrpc":"2.0","error":1}"#, Message::Response),
        ("1", Message::Refused(None)),
        ("", Message::NotJson),
        ("[1,", Message::NotJson),
        ("[1]", Message::Batch(vec![Message::Refused(None)])),
    ] {
        assert_eq!(read(text), message, "{text}");
    }
}
