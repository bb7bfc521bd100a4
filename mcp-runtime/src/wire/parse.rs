//! Text to message.

use super::{Id, RpcError};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// One JSON-RPC message, borrowed from its text.
pub(crate) enum Message<'a> {
    Request(Request<'a>),
    Notification { method: Cow<'a, str>, params: Option<&'a RawValue> },
    Response(Response<'a>),
}

/// A call that wants an answer.
pub(crate) struct Request<'a> {
    pub(crate) id: Id<'a>,
    pub(crate) method: Cow<'a, str>,
    pub(crate) params: Option<&'a RawValue>,
}

/// The peer's answer to a request of ours.
pub(crate) struct Response<'a> {
    /// Missing when the peer could not read what it answers.
    pub(crate) id: Option<Id<'a>>,
    pub(crate) outcome: Result<&'a RawValue, &'a RawValue>,
}

/// Why a text is no message.
#[derive(Debug)]
pub(crate) enum Fault<'a> {
    /// Not JSON at all.
    NotJson,
    /// JSON, but no valid message; the id is there when it could be read.
    Invalid { id: Option<&'a str>, reason: &'static str },
}

impl Fault<'_> {
    /// The error object that answers the fault.
    pub(crate) fn error(&self) -> RpcError {
        match self {
            Fault::NotJson => RpcError::new(super::PARSE_ERROR, "Parse error: the message is not JSON"),
            Fault::Invalid { reason, .. } => RpcError::invalid_request(*reason),
        }
    }

    /// The id to answer to, when there is one.
    pub(crate) fn id(&self) -> Option<Id<'_>> {
        match self {
            Fault::Invalid { id: Some(id), .. } => Some(Id(id)),
            _ => None,
        }
    }
}

/// Is this the start of a batch (an array)?
pub(crate) fn is_batch(text: &str) -> bool {
    text.trim_ascii_start().starts_with('[')
}

/// The elements of a batch.
pub(crate) fn batch(text: &str) -> Result<Vec<&RawValue>, Fault<'static>> {
    match serde_json::from_str::<Vec<&RawValue>>(text) {
        Ok(elements) if elements.is_empty() => Err(invalid("A batch must not be empty")),
        Ok(elements) => Ok(elements),
        Err(_) => Err(Fault::NotJson),
    }
}

fn invalid(reason: &'static str) -> Fault<'static> {
    Fault::Invalid { id: None, reason }
}

/// Reads one message. Member names are matched exactly, unknown members are ignored, repeated ones are refused.
pub(crate) fn parse(text: &str) -> Result<Message<'_>, Fault<'_>> {
    // Structs may also be written as arrays to serde; a message may not.
    if !text.trim_ascii_start().starts_with('{') {
        return Err(match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => invalid("A message must be a JSON object"),
            Err(_) => Fault::NotJson,
        });
    }
    match serde_json::from_str::<Members<'_>>(text) {
        Ok(members) => members.classify(),
        // A fault of shape may hide a fault of syntax further on: only the second look tells.
        Err(_) => Err(match serde_json::from_str::<IdAlone<'_>>(text) {
            Ok(IdAlone { id }) => Fault::Invalid {
                id: id.and_then(Id::new).map(Id::as_json),
                reason: "A member of the message is repeated or has the wrong type",
            },
            Err(_) if serde_json::from_str::<IgnoredAny>(text).is_ok() => invalid("`id` is repeated"),
            Err(_) => Fault::NotJson,
        }),
    }
}

/// The id of a message whose other members cannot be used.
#[derive(serde::Deserialize)]
struct IdAlone<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

#[derive(Default)]
struct Members<'a> {
    version: Option<Cow<'a, str>>,
    id: Option<&'a RawValue>,
    method: Option<Cow<'a, str>>,
    params: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
}

impl<'a> Members<'a> {
    /// An error response to something that its sender could not read has no id, or `null` for one. To answer it with another
    /// error would be the beginning of an endless talk.
    fn is_error_to_nobody(&self) -> bool {
        let no_id = self.id.is_none_or(|id| id.get() == "null");
        no_id && self.error.is_some() && self.method.is_none() && self.result.is_none()
    }

    fn classify(self) -> Result<Message<'a>, Fault<'a>> {
        let id = self.id.and_then(Id::new);
        let refuse = |reason| Err(Fault::Invalid { id: id.map(Id::as_json), reason });
        if self.version.as_deref() != Some("2.0") {
            return refuse("`jsonrpc` must be \"2.0\"");
        }
        if id.is_none() && self.is_error_to_nobody() {
            return Ok(Message::Response(Response { id: None, outcome: Err(self.error.unwrap_or(RawValue::NULL)) }));
        }
        if self.id.is_some() && id.is_none() {
            return refuse("`id` must be a string or an integer");
        }
        match (self.method, id, self.result, self.error) {
            (Some(method), Some(id), None, None) => Ok(Message::Request(Request { id, method, params: self.params })),
            (Some(method), None, None, None) => Ok(Message::Notification { method, params: self.params }),
            (None, Some(id), Some(result), None) => {
                Ok(Message::Response(Response { id: Some(id), outcome: Ok(result) }))
            }
            (None, Some(id), None, Some(error)) => {
                Ok(Message::Response(Response { id: Some(id), outcome: Err(error) }))
            }
            (None, _, None, None) => refuse("`method` is missing"),
            _ => refuse("`method`, `result` and `error` exclude each other"),
        }
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON-RPC message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Members::default();
        while let Some(Text(key)) = map.next_key()? {
            match &*key {
                "jsonrpc" => put(&mut members.version, || Ok(map.next_value::<Text<'de>>()?.0))?,
                "id" => put(&mut members.id, || map.next_value())?,
                "method" => put(&mut members.method, || Ok(map.next_value::<Text<'de>>()?.0))?,
                "params" => put(&mut members.params, || map.next_value())?,
                "result" => put(&mut members.result, || map.next_value())?,
                "error" => put(&mut members.error, || map.next_value())?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(members)
    }
}

/// Fills a member once; a second time is an error, so that no reader of the message can see another one than we do.
fn put<T, E: serde::de::Error>(member: &mut Option<T>, value: impl FnOnce() -> Result<T, E>) -> Result<(), E> {
    if member.is_some() {
        return Err(E::custom("repeated member"));
    }
    *member = Some(value()?);
    Ok(())
}

/// A string that is borrowed unless it holds escapes.
struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E: serde::de::Error>(self, v: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(v)))
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(v.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (i32, Option<String>) {
        match parse(text) {
            Ok(_) => panic!("accepted: {text}"),
            Err(fault) => (fault.error().code, fault.id().map(|id| id.as_json().to_owned())),
        }
    }

    #[test]
    fn a_request_keeps_its_id_as_written() {
        for id in ["1", "\"a\"", "-7", "184467440737095516150", "\"\\u0061\""] {
            let text = format!(r#"{{"params":{{"x":1}},"method":"ping","id":{id},"jsonrpc":"2.0","other":null}}"#);
            let Ok(Message::Request(request)) = parse(&text) else { panic!("{text}") };
            assert_eq!(request.id.as_json(), id);
            assert_eq!(request.method, "ping");
            assert_eq!(request.params.map(RawValue::get), Some(r#"{"x":1}"#));
        }
    }

    #[test]
    fn an_illegal_id_is_an_invalid_request_without_id() {
        for id in ["null", "1.5", "1e3", "true", "{}", "[1]"] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            assert_eq!(fault(&text), (-32600, None), "{id}");
        }
    }

    #[test]
    fn garbage_is_a_parse_error_and_other_json_an_invalid_request() {
        for text in ["garbage", "{\"jsonrpc\":", "", "{\"jsonrpc\":1, oops", "[1,", "\"a"] {
            assert_eq!(fault(text), (-32700, None), "{text}");
        }
        for text in ["42", "\"x\"", "null", "{}", "[1]", r#"{"jsonrpc":"2.0"}"#, r#"{"jsonrpc":2,"method":"ping"}"#] {
            assert_eq!(fault(text), (-32600, None), "{text}");
        }
        assert_eq!(fault(r#"{"jsonrpc":"1.0","id":2,"method":"ping"}"#), (-32600, Some("2".into())));
    }

    #[test]
    fn repeated_and_differently_cased_members_are_refused() {
        assert_eq!(fault(r#"{"jsonrpc":"2.0","id":1,"Method":"ping"}"#), (-32600, Some("1".into())));
        assert_eq!(fault(r#"{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}"#), (-32600, Some("1".into())));
        assert_eq!(fault(r#"{"id":6,"method":5,"jsonrpc":"2.0"}"#), (-32600, Some("6".into())));
        assert_eq!(fault(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}"#), (-32600, None));
    }

    #[test]
    fn responses_carry_exactly_one_outcome() {
        let text = r#"{"jsonrpc":"2.0","id":"s1","result":{}}"#;
        assert!(matches!(parse(text), Ok(Message::Response(Response { outcome: Ok(_), .. }))));
        let text = r#"{"jsonrpc":"2.0","id":"s1","error":{"code":1,"message":"m"}}"#;
        assert!(matches!(parse(text), Ok(Message::Response(Response { outcome: Err(_), .. }))));
        assert_eq!(fault(r#"{"jsonrpc":"2.0","id":1,"result":1,"error":{}}"#).0, -32600);
        for text in [r#"{"jsonrpc":"2.0","error":{"code":1}}"#, r#"{"jsonrpc":"2.0","id":null,"error":{"code":1}}"#] {
            assert!(matches!(parse(text), Ok(Message::Response(Response { id: None, .. }))), "{text}");
        }
    }

    #[test]
    fn an_empty_batch_is_refused() {
        assert!(is_batch(" [1]") && !is_batch("{}"));
        assert!(matches!(batch("[]"), Err(Fault::Invalid { .. })));
        assert!(matches!(batch("[1"), Err(Fault::NotJson)));
        assert_eq!(batch("[1, {}]").map(|b| b.len()).ok(), Some(2));
    }
}
