//! Bytes to JSON-RPC 2.0 messages and back. Knows nothing of MCP and nothing of transports.
//!
//! Source: the JSON-RPC 2.0 specification, narrowed where MCP narrows it (ids are strings or integers, never null).

mod json;
mod object;
mod parse;
mod scan;
mod text;
mod write;

pub(crate) use json::{Json, Known, OwnedJson};
pub(crate) use object::{Object, value_into};
pub(crate) use parse::{Fault, Message, ReadParams, Request, batch, is_batch, parse};
pub(crate) use scan::{NotJson, Scanner};
pub(crate) use text::{to_json, write_json};
pub(crate) use write::{error, notification, request, result};

use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The text is not JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// The JSON is not a request.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// No such method.
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
/// The method does not take these parameters.
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// The server failed.
pub(crate) const INTERNAL_ERROR: i32 = -32603;

/// A request id as it stood on the wire: a JSON string or an integer of any size, echoed byte for byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Id<'a>(&'a str);

impl<'a> Id<'a> {
    /// Accepts a string or an integer; anything else (null, a fraction, a boolean, ...) is no id.
    pub(crate) fn new(json: Json<'a>) -> Option<Self> {
        let text = json.get();
        let digits = text.strip_prefix('-').unwrap_or(text);
        let integer = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        (integer || text.starts_with('"')).then_some(Id(text))
    }

    /// The id's JSON text.
    pub(crate) fn as_json(self) -> &'a str {
        self.0
    }
}

/// An [`Id`] that outlives its message.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct OwnedId(Box<str>);

impl OwnedId {
    /// The id as it stood on the wire.
    pub(crate) fn borrow(&self) -> Id<'_> {
        Id(&self.0)
    }
}

impl From<Id<'_>> for OwnedId {
    fn from(id: Id<'_>) -> Self {
        OwnedId(id.0.into())
    }
}

/// A JSON-RPC error object.
#[derive(Debug, Clone)]
pub(crate) struct RpcError {
    pub(crate) code: i32,
    pub(crate) message: Cow<'static, str>,
    pub(crate) data: Option<Box<RawValue>>,
}

impl RpcError {
    pub(crate) fn new(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        RpcError { code, message: message.into(), data: None }
    }

    pub(crate) fn invalid_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }

    pub(crate) fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(INVALID_REQUEST, message)
    }

    pub(crate) fn internal() -> Self {
        Self::new(INTERNAL_ERROR, "Internal error")
    }

    pub(crate) fn method_not_found(method: &str) -> Self {
        // A hostile method name must not come back at full length.
        let shown: String = method.chars().take(64).collect();
        Self::new(METHOD_NOT_FOUND, format!("Method not found: {shown}"))
    }

    /// Attaches `data`, serialized.
    pub(crate) fn with_data(mut self, data: &impl serde::Serialize) -> Self {
        self.data = to_json(data).ok().and_then(|json| RawValue::from_string(json).ok());
        self
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}
