//! The params of any request, split into members once; each method reads the ones it knows.

use crate::wire::RpcError;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Members that some method of some revision knows. Unknown ones are ignored, repeated ones refused.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Params<'a> {
    #[serde(borrow, rename = "_meta")]
    pub(crate) meta: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) name: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) uri: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) cursor: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) level: Option<&'a RawValue>,
    #[serde(borrow, rename = "ref")]
    pub(crate) reference: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) argument: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) context: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) protocol_version: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) capabilities: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) client_info: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) input_responses: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) request_state: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) notifications: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) request_id: Option<&'a RawValue>,
}

impl<'a> Params<'a> {
    /// Splits params; absent ones are empty.
    pub(crate) fn parse(raw: Option<&'a RawValue>) -> Result<Self, RpcError> {
        let Some(raw) = raw else { return Ok(Params::default()) };
        // A struct may also be an array to serde; params may not.
        if !raw.get().starts_with('{') {
            return Err(RpcError::invalid_params("`params` must be an object"));
        }
        serde_json::from_str(raw.get()).map_err(|_| RpcError::invalid_params("a member of `params` is repeated"))
    }
}

/// Reads a member that must be a string.
pub(crate) fn text_member<'a>(name: &str, raw: Option<&'a RawValue>) -> Result<Cow<'a, str>, RpcError> {
    let Some(raw) = raw else { return Err(RpcError::invalid_params(format!("`{name}` is missing"))) };
    text(raw).ok_or_else(|| RpcError::invalid_params(format!("`{name}` must be a string")))
}

/// A JSON string's text, borrowed unless it holds escapes.
pub(super) fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let json = raw.get();
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str(json).ok().map(Cow::Owned)
}
