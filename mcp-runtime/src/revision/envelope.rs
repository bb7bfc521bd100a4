//! The `_meta` of a request: in the stateless revision it carries what a handshake settled before.
//!
//! Source: basic/index and basic/versioning of 2026-07-28.

use super::Revision;
use crate::model::Level;
use crate::wire::{Id, Json, Known, NotJson, RpcError, Scanner};
use std::borrow::Cow;

/// What `_meta` holds.
#[derive(Default)]
pub(crate) struct Envelope<'a> {
    whole: Option<Json<'a>>,
    members: Known<'a, { NAMES.len() }>,
}

/// Everything in `_meta` that the server itself reads. All names but the first begin with [`PREFIX`].
const NAMES: [&str; 5] = ["progressToken", "protocolVersion", "clientInfo", "clientCapabilities", "logLevel"];
const PROGRESS_TOKEN: usize = 0;
const VERSION: usize = 1;
const CLIENT_INFO: usize = 2;
const CAPABILITIES: usize = 3;
const LOG_LEVEL: usize = 4;
const PREFIX: &str = "io.modelcontextprotocol/";

/// The place of a name in [`NAMES`].
fn known(name: &str) -> Option<usize> {
    match name.strip_prefix(PREFIX) {
        Some(name) => NAMES[VERSION..].iter().position(|known| *known == name).map(|at| at + VERSION),
        None => (name == NAMES[PROGRESS_TOKEN]).then_some(PROGRESS_TOKEN),
    }
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
    /// Takes the value of `_meta`.
    pub(super) fn read(&mut self, scanner: &mut Scanner<'a>) -> Result<(), NotJson> {
        let whole = match scanner.peek() {
            Some(b'{') => scanner.object(|name, scanner| {
                let value = scanner.value()?;
                if let Some(member) = known(&name.text()) {
                    self.members.put(member, value);
                }
                Ok(())
            })?,
            _ => scanner.value()?,
        };
        self.whole = Some(whole).filter(|whole| !whole.is_null());
        Ok(())
    }

    /// Refuses an envelope that nothing may be read from.
    pub(super) fn check(&self) -> Result<(), RpcError> {
        if self.whole.is_some_and(|whole| !whole.is_object()) {
            return Err(RpcError::invalid_params("`_meta` must be an object"));
        }
        if self.members.is_repeated() {
            return Err(RpcError::invalid_params("a member of `_meta` is repeated"));
        }
        let token_fits = |token: Json<'_>| token.text().is_some() || Id::new(token).is_some();
        if self.progress_token().is_some_and(|token| !token_fits(token)) {
            return Err(RpcError::invalid_params("`_meta.progressToken` must be a string or an integer"));
        }
        Ok(())
    }

    /// All of `_meta`.
    pub(crate) fn whole(&self) -> Option<Json<'a>> {
        self.whole
    }

    pub(crate) fn progress_token(&self) -> Option<Json<'a>> {
        self.members.get(PROGRESS_TOKEN)
    }

    pub(crate) fn client_info(&self) -> Option<Json<'a>> {
        self.members.get(CLIENT_INFO)
    }

    pub(crate) fn capabilities(&self) -> Option<Json<'a>> {
        self.members.get(CAPABILITIES)
    }

    /// Does `_meta` hold any part that only stateless revisions have?
    pub(crate) fn is_stateless(&self) -> bool {
        [VERSION, CLIENT_INFO, CAPABILITIES].into_iter().any(|member| self.members.get(member).is_some())
    }

    /// Checks that the parts which a stateless request needs are there; gives the version's name.
    pub(crate) fn require(&self) -> Result<Cow<'a, str>, RpcError> {
        let incomplete = |what: &str| {
            RpcError::invalid_params(format!(
                "`_meta` needs `io.modelcontextprotocol/{what}`; a client of an older revision calls `initialize` first"
            ))
        };
        let version =
            self.members.get(VERSION).and_then(Json::text).ok_or_else(|| incomplete("protocolVersion` (a string)"))?;
        self.capabilities()
            .filter(|value| value.is_object())
            .ok_or_else(|| incomplete("clientCapabilities` (an object)"))?;
        if self.client_info().is_some_and(|info| !info.is_object()) {
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
        let Some(level) = self.members.get(LOG_LEVEL) else { return Ok(None) };
        let level = level.text().and_then(|name| Level::from_name(&name));
        level.map(Some).ok_or_else(|| RpcError::invalid_params("`io.modelcontextprotocol/logLevel` is no log level"))
    }
}
