//! Text to message.

use super::scan::{NotJson, Scanner};
use super::{Id, Json, RpcError};
use std::borrow::Cow;

/// What a method's `params` are read into, in the same pass as the message around them.
pub(crate) trait ReadParams<'a>: Default {
    /// Takes exactly one value; there were none before. Whether it is one that params may be is for its reader to remember.
    fn read(&mut self, scanner: &mut Scanner<'a>) -> Result<(), NotJson>;
}

/// One JSON-RPC message, borrowed from its text.
pub(crate) enum Message<'a, P> {
    Request(Request<'a, P>),
    Notification { method: Cow<'a, str>, params: P },
    Response(Response<'a>),
}

/// A call that wants an answer.
pub(crate) struct Request<'a, P> {
    pub(crate) id: Id<'a>,
    pub(crate) method: Cow<'a, str>,
    /// Empty ones if there are none.
    pub(crate) params: P,
}

/// The peer's answer to a request of ours.
pub(crate) struct Response<'a> {
    /// Missing when the peer could not read what it answers.
    pub(crate) id: Option<Id<'a>>,
    pub(crate) outcome: Result<Json<'a>, Json<'a>>,
}

/// Why a text is no message.
#[derive(Debug)]
pub(crate) enum Fault<'a> {
    /// Not JSON at all.
    NotJson,
    /// JSON, but no valid message; the id is there when it could be read.
    Invalid { id: Option<&'a str>, reason: Cow<'static, str> },
}

impl Fault<'_> {
    /// The error object that answers the fault.
    pub(crate) fn error(&self) -> RpcError {
        match self {
            Fault::NotJson => RpcError::new(super::PARSE_ERROR, "Parse error: the message is not JSON"),
            Fault::Invalid { reason, .. } => RpcError::invalid_request(reason.clone()),
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

/// The elements of a batch. One that holds more than `most` is refused whole, and no list is made of what is refused: it could
/// be much larger than its text.
pub(crate) fn batch(text: &str, most: usize) -> Result<Vec<&str>, Fault<'static>> {
    let (mut scanner, mut elements, mut is_too_long) = (Scanner::new(text), Vec::new(), false);
    let whole = scanner.array(|scanner| {
        let element = scanner.value()?.get();
        is_too_long |= elements.len() == most;
        if !is_too_long {
            elements.push(element);
        }
        Ok(())
    });
    match whole.and_then(|()| scanner.end()) {
        Ok(()) if is_too_long => Err(invalid(format!("A batch must not hold more than {most} messages"))),
        Ok(()) if elements.is_empty() => Err(invalid("A batch must not be empty")),
        Ok(()) => Ok(elements),
        Err(NotJson) => Err(Fault::NotJson),
    }
}

fn invalid(reason: impl Into<Cow<'static, str>>) -> Fault<'static> {
    Fault::Invalid { id: None, reason: reason.into() }
}

/// Reads one message whose objects and arrays are nested at most `depth` deep. Member names are matched exactly, unknown members
/// are ignored, repeated ones are refused.
pub(crate) fn parse<'a, P: ReadParams<'a>>(text: &'a str, depth: usize) -> Result<Message<'a, P>, Fault<'a>> {
    let mut scanner = Scanner::new(text);
    if scanner.peek() != Some(b'{') {
        return Err(match Json::of(text) {
            Some(_) => invalid("A message must be a JSON object"),
            None => Fault::NotJson,
        });
    }
    // Params are large: they are put into their message once, and not moved before.
    let mut params = P::default();
    let members = Members::read(&mut scanner, &mut params).and_then(|members| scanner.end().map(|()| members));
    let Ok(members) = members else { return Err(Fault::NotJson) };
    match members.classify()? {
        Kind::Request(id, _) if scanner.deepest() > depth => {
            let reason = format!("The message is nested deeper than {depth} levels");
            Err(Fault::Invalid { id: Some(id.as_json()), reason: reason.into() })
        }
        Kind::Request(id, method) => Ok(Message::Request(Request { id, method, params })),
        Kind::Notification(method) => Ok(Message::Notification { method, params }),
        Kind::Response(response) => Ok(Message::Response(response)),
    }
}

/// What a message is, its params left out.
enum Kind<'a> {
    Request(Id<'a>, Cow<'a, str>),
    Notification(Cow<'a, str>),
    Response(Response<'a>),
}

/// The members of a message. `null` is a value: whether it may stand there is for [`Members::classify`] to say.
#[derive(Default)]
struct Members<'a> {
    version: Option<Json<'a>>,
    id: Option<Json<'a>>,
    method: Option<Json<'a>>,
    result: Option<Json<'a>>,
    error: Option<Json<'a>>,
    /// Some member came twice, so that another reader of the message might see another one than we do.
    repeated: bool,
    /// The id did.
    id_repeated: bool,
}

impl<'a> Members<'a> {
    fn read(scanner: &mut Scanner<'a>, params: &mut impl ReadParams<'a>) -> Result<Self, NotJson> {
        let mut members = Members::default();
        let mut has_params = false;
        scanner.object(|name, scanner| {
            let name = name.text();
            let member = match &*name {
                "jsonrpc" => &mut members.version,
                "id" => &mut members.id,
                "method" => &mut members.method,
                "result" => &mut members.result,
                "error" => &mut members.error,
                "params" if has_params => {
                    members.repeated = true;
                    return scanner.value().map(drop);
                }
                "params" => {
                    has_params = true;
                    return params.read(scanner);
                }
                _ => return scanner.value().map(drop),
            };
            let repeated = member.replace(scanner.value()?).is_some();
            members.repeated |= repeated;
            members.id_repeated |= repeated && name == "id";
            Ok(())
        })?;
        Ok(members)
    }

    /// An error response to something that its sender could not read has no id, or `null` for one. To answer it with another
    /// error would be the beginning of an endless talk.
    fn is_error_to_nobody(&self) -> bool {
        let no_id = self.id.is_none_or(Json::is_null);
        no_id && self.error.is_some() && self.method.is_none() && self.result.is_none()
    }

    fn classify(self) -> Result<Kind<'a>, Fault<'a>> {
        if self.id_repeated {
            return Err(invalid("`id` is repeated"));
        }
        let id = self.id.and_then(Id::new);
        let refuse = |reason: &'static str| Err(Fault::Invalid { id: id.map(Id::as_json), reason: reason.into() });
        let (version, method) = (self.version.map(Json::text), self.method.map(Json::text));
        if self.repeated || version == Some(None) || method == Some(None) {
            return refuse("A member of the message is repeated or has the wrong type");
        }
        if version.flatten().as_deref() != Some("2.0") {
            return refuse("`jsonrpc` must be \"2.0\"");
        }
        if id.is_none() && self.is_error_to_nobody() {
            return Ok(Kind::Response(Response { id: None, outcome: Err(self.error.unwrap_or(Json::NULL)) }));
        }
        if self.id.is_some() && id.is_none() {
            return refuse("`id` must be a string or an integer");
        }
        match (method.flatten(), id, self.result, self.error) {
            (Some(method), Some(id), None, None) => Ok(Kind::Request(id, method)),
            (Some(method), None, None, None) => Ok(Kind::Notification(method)),
            (None, Some(id), Some(result), None) => Ok(Kind::Response(Response { id: Some(id), outcome: Ok(result) })),
            (None, Some(id), None, Some(error)) => Ok(Kind::Response(Response { id: Some(id), outcome: Err(error) })),
            (None, _, None, None) => refuse("`method` is missing"),
            _ => refuse("`method`, `result` and `error` exclude each other"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Params as they came.
    #[derive(Default)]
    struct Whole<'a>(Option<Json<'a>>);

    impl<'a> ReadParams<'a> for Whole<'a> {
        fn read(&mut self, scanner: &mut Scanner<'a>) -> Result<(), NotJson> {
            self.0 = Some(scanner.value()?);
            Ok(())
        }
    }

    fn parse(text: &str) -> Result<Message<'_, Whole<'_>>, Fault<'_>> {
        super::parse(text, 128)
    }

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
            assert_eq!(request.params.0.map(Json::get), Some(r#"{"x":1}"#));
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
        // Escapes hide nothing, and neither does `null`.
        assert_eq!(fault(r#"{"jsonrpc":"2.0","id":1,"\u0069d":2,"method":"a"}"#), (-32600, None));
        assert_eq!(fault(r#"{"jsonrpc":"2.0","id":null,"id":2,"method":"a"}"#), (-32600, None));
        let text = r#"{"jsonrpc":"2.0","id":1,"method":"a","params":null,"p\u0061rams":{}}"#;
        assert_eq!(fault(text), (-32600, Some("1".into())));
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
    fn a_batch_that_is_too_long_is_refused_whole_and_only_if_it_is_json() {
        let ones = |count: usize| format!("[{}]", vec!["1"; count].join(","));
        assert_eq!(batch(&ones(1_000), 1_000).map(|b| b.len()).ok(), Some(1_000));
        assert!(matches!(batch(&ones(1_001), 1_000), Err(Fault::Invalid { .. })));
        assert!(matches!(batch(&format!("{},", ones(1_001)), 1_000), Err(Fault::NotJson)));
    }

    #[test]
    fn an_empty_batch_is_refused() {
        assert!(is_batch(" [1]") && !is_batch("{}"));
        assert!(matches!(batch("[]", 9), Err(Fault::Invalid { .. })));
        assert!(matches!(batch("[1", 9), Err(Fault::NotJson)));
        assert_eq!(batch("[1, {}]", 9).map(|b| b.len()).ok(), Some(2));
    }
}
