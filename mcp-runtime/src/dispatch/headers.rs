//! Headers that repeat parts of a stateless request: gateways route by them, so they must not lie.
//!
//! Source: basic/transports/streamable-http of 2026-07-28.

use crate::model::HEADER_MISMATCH;
use crate::registry::HeaderParam;
use crate::session::{BadHeader, Header, RequestHeaders};
use crate::wire::{Json, RpcError};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::borrow::Cow;

fn mismatch(text: impl Into<Cow<'static, str>>) -> RpcError {
    RpcError::new(HEADER_MISMATCH, text)
}

fn get<'h>(headers: &'h dyn RequestHeaders, header: Header<'_>) -> Result<Option<&'h str>, RpcError> {
    let name = header.name();
    headers.get(header).map_err(|BadHeader| mismatch(format!("the header `{name}` is repeated or unreadable")))
}

/// The version header must be there.
pub(super) fn require_version(headers: &dyn RequestHeaders) -> Result<&str, RpcError> {
    get(headers, Header::Version)?.ok_or_else(|| mismatch("the header `MCP-Protocol-Version` is missing"))
}

/// The version header must say what the envelope says.
pub(super) fn check_version(header: &str, envelope: &str) -> Result<(), RpcError> {
    match header == envelope {
        true => Ok(()),
        false => Err(mismatch("`MCP-Protocol-Version` differs from the protocol version in `_meta`")),
    }
}

/// `Mcp-Method` must be the method, and `Mcp-Name` the name or URI where the method has one.
pub(super) fn check_routing(
    headers: &dyn RequestHeaders,
    method: &str,
    name: Option<Option<&str>>,
) -> Result<(), RpcError> {
    match get(headers, Header::Method)? {
        Some(header) if header == method => {}
        Some(_) => return Err(mismatch("`Mcp-Method` differs from the request's method")),
        None => return Err(mismatch("the header `Mcp-Method` is missing")),
    }
    let Some(name) = name else { return Ok(()) };
    let header = get(headers, Header::Name)?.ok_or_else(|| mismatch("the header `Mcp-Name` is missing"))?;
    match decode(header) {
        Some(header) if name.is_none_or(|name| header == name) => Ok(()),
        Some(_) => Err(mismatch("`Mcp-Name` differs from the request's name or URI")),
        None => Err(mismatch("`Mcp-Name` is not encoded as it should be")),
    }
}

/// Each annotated argument that has a value must stand in its header as well, and no other value.
pub(super) fn check_params(
    headers: &dyn RequestHeaders,
    params: &[HeaderParam],
    arguments: Option<Json<'_>>,
) -> Result<(), RpcError> {
    if params.is_empty() {
        return Ok(());
    }
    let unreadable = |_| mismatch("the arguments cannot be read, so they cannot be compared with headers");
    let arguments: Value = arguments.map(Json::decode).transpose().map_err(unreadable)?.unwrap_or(Value::Null);
    params.iter().try_for_each(|param| {
        let value = param.path.iter().try_fold(&arguments, |value, key| value.get(key)).filter(|v| !v.is_null());
        let header = get(headers, Header::Other(&param.header))?;
        let name = &param.header;
        match (value, header) {
            (None, None) => Ok(()),
            (Some(_), None) => Err(mismatch(format!("the header `{name}` is missing"))),
            (None, Some(_)) => Err(mismatch(format!("the header `{name}` has a value, its argument has none"))),
            (Some(value), Some(header)) => match decode(header) {
                Some(header) if same(value, &header) => Ok(()),
                Some(_) => Err(mismatch(format!("the header `{name}` differs from its argument"))),
                None => Err(mismatch(format!("the header `{name}` is not encoded as it should be"))),
            },
        }
    })
}

/// The text of a header value: `=?base64?...?=` is decoded, anything else is literal.
fn decode(header: &str) -> Option<Cow<'_, str>> {
    match header.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok().map(Cow::Owned),
        None => Some(Cow::Borrowed(header)),
    }
}

/// Numbers are compared as numbers, everything else as text. A value of another type fails when it is decoded.
fn same(value: &Value, header: &str) -> bool {
    match value {
        Value::String(text) => text == header,
        Value::Bool(flag) => header == if *flag { "true" } else { "false" },
        Value::Number(number) => {
            number.to_string() == header || header.parse::<f64>().is_ok_and(|header| number.as_f64() == Some(header))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_exact_sentinel_is_decoded() {
        for (header, text) in [
            ("=?base64?SGVsbG8=?=", Some("Hello")),
            ("SGVsbG8=", Some("SGVsbG8=")),
            ("=?base64?SGVsbG8=", Some("=?base64?SGVsbG8=")),
            ("=?BASE64?SGVsbG8=?=", Some("=?BASE64?SGVsbG8=?=")),
            ("=?base64?SGVsbG8?=", None),
            ("=?base64?SGVs!!!bG8=?=", None),
            ("=?base64?/w==?=", None),
        ] {
            assert_eq!(decode(header).as_deref(), text, "{header}");
        }
    }

    #[test]
    fn integers_compare_as_numbers() {
        assert!(same(&json!(42), "42"));
        assert!(same(&json!(42), "42.0"));
        assert!(!same(&json!(42), "43"));
        assert!(same(&json!(true), "true"));
        assert!(!same(&json!(true), "True"));
    }
}
