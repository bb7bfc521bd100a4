//! The `_meta` of a request: in the stateless revision it carries what a handshake settled before.
//!
//! Source: basic/index and basic/versioning of 2026-07-28.

use super::params::text;
use super::{Params, Revision};
use crate::model::Level;
use crate::wire::RpcError;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Everything in `_meta` that the server itself reads.
#[derive(Default, Deserialize)]
pub(crate) struct Envelope<'a> {
    #[serde(borrow, rename = "progressToken")]
    pub(crate) progress_token: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientInfo")]
    pub(crate) client_info: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(crate) capabilities: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/logLevel")]
    log_level: Option<&'a RawValue>,
}

/// Does a request with this envelope and this version header belong to a stateless revision?
pub(crate) fn is_stateless(envelope: &Envelope<'_>, header: Option<&str>) -> bool {
    // A header that names no handshake revision cannot be meant for a session.
    let names_handshake = |version| Revision::from_name(version).is_some_and(|revision| !revision.is_stateless());
    envelope.is_stateless() || header.is_some_and(|version| !names_handshake(version))
}

/// The error for a version that is not served, with those that are.
pub(crate) fn unsupported(version: &str, supported: &[&str]) -> RpcError {
    let requested: String = version.chars().take(64).collect();
    let data = serde_json::json!({"supported": supported, "requested": requested});
    RpcError::new(crate::model::UNSUPPORTED_VERSION, "Unsupported protocol version").with_data(&data)
}

impl<'a> Envelope<'a> {
    /// Reads `_meta`; an absent one is empty.
    pub(crate) fn parse(params: &Params<'a>) -> Result<Self, RpcError> {
        let Some(raw) = params.meta else { return Ok(Envelope::default()) };
        let envelope: Envelope<'a> = match raw.get().starts_with('{') {
            true => serde_json::from_str(raw.get())
                .map_err(|_| RpcError::invalid_params("a member of `_meta` is repeated"))?,
            false => return Err(RpcError::invalid_params("`_meta` must be an object")),
        };
        let token_fits =
            envelope.progress_token.is_none_or(|token| text(token).is_some() || crate::wire::Id::new(token).is_some());
        if token_fits {
            Ok(envelope)
        } else {
            Err(RpcError::invalid_params("`_meta.progressToken` must be a string or an integer"))
        }
    }

    /// Does `_meta` hold any part that only stateless revisions have?
    pub(crate) fn is_stateless(&self) -> bool {
        self.version.is_some() || self.client_info.is_some() || self.capabilities.is_some()
    }

    /// Checks that the parts which a stateless request needs are there; gives the version's name.
    pub(crate) fn require(&self) -> Result<Cow<'a, str>, RpcError> {
        let incomplete = |what: &str| {
            RpcError::invalid_params(format!(
                "`_meta` needs `io.modelcontextprotocol/{what}`; a client of an older revision calls `initialize` first"
            ))
        };
        let version = self.version.and_then(text).ok_or_else(|| incomplete("protocolVersion` (a string)"))?;
        let is_object = |raw: &&RawValue| raw.get().starts_with('{');
        self.capabilities.filter(is_object).ok_or_else(|| incomplete("clientCapabilities` (an object)"))?;
        if self.client_info.is_some_and(|info| !is_object(&info)) {
            return Err(RpcError::invalid_params("`io.modelcontextprotocol/clientInfo` must be an object"));
        }
        Ok(version)
    }

    /// The revision of a complete envelope's version.
    pub(crate) fn revision(version: &str) -> Result<Revision, RpcError> {
        Revision::from_name(version).filter(|revision| revision.is_stateless()).ok_or_else(|| {
            // A handshake revision is spoken here, but not like this: listing it would make the client loop.
            let known = Revision::from_name(version).is_some();
            let supported = if known { Revision::stateless_names() } else { Revision::names() };
            unsupported(version, &supported)
        })
    }

    /// The level of log messages that the request asks for.
    pub(crate) fn log_level(&self) -> Result<Option<Level>, RpcError> {
        let Some(raw) = self.log_level else { return Ok(None) };
        let level = text(raw).and_then(|name| Level::from_name(&name));
        level.map(Some).ok_or_else(|| RpcError::invalid_params("`io.modelcontextprotocol/logLevel` is no log level"))
    }
}
