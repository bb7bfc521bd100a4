//! A signed token, taken apart.
//!
//! Source: RFC 7515, sections 4.1 and 7.1.

use super::TokenError;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A token, of which nothing is known to be true.
pub(super) struct Jws<'t> {
    pub(super) header: Header,
    /// What the signature is of.
    pub(super) signed: &'t str,
    pub(super) signature: Vec<u8>,
    payload: Vec<u8>,
}

/// What is read of its header. Where a key could be had (`jwk`, `jku`, `x5c`) is not: the issuer's keys are the only ones.
#[derive(Deserialize)]
pub(super) struct Header {
    pub(super) alg: String,
    pub(super) kid: Option<String>,
    pub(super) typ: Option<String>,
}

impl<'t> Jws<'t> {
    pub(super) fn parse(token: &'t str) -> Result<Self, TokenError> {
        let bad = || TokenError::invalid("the token is no signed JWT");
        let (signed, signature) = token.rsplit_once('.').ok_or_else(bad)?;
        let (header, payload) = signed.split_once('.').ok_or_else(bad)?;
        let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| bad());
        let (header, payload, signature) = (decode(header)?, decode(payload)?, decode(signature)?);
        let header: Map<String, Value> = serde_json::from_slice(&header).map_err(|_| bad())?;
        // What must be understood; nothing of the kind is, whatever it says.
        if header.contains_key("crit") {
            return Err(TokenError::invalid("the token has extensions that are not known here"));
        }
        let header = serde_json::from_value(Value::Object(header)).map_err(|_| bad())?;
        Ok(Jws { header, signed, signature, payload })
    }

    /// What it says.
    pub(super) fn claims(&self) -> Result<Map<String, Value>, TokenError> {
        serde_json::from_slice(&self.payload).map_err(|_| TokenError::invalid("the token has no claims"))
    }
}
