//! Seals what a client carries for the server, so that it can neither read nor change it.
//!
//! XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha): its nonce is long enough to be random however often a key is used.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chacha20poly1305::aead::{Aead as _, Payload};
use chacha20poly1305::{Key, KeyInit as _, XChaCha20Poly1305, XNonce};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// The first byte of everything sealed in this format.
const VERSION: u8 = 1;
const ID: usize = 4;
const NONCE: usize = 24;
const HEAD: usize = 1 + ID + NONCE;

/// A key for the state that clients carry between the rounds of a call.
///
/// Every instance of a service needs the same keys; give them with [`Server::state_keys`](crate::Server::state_keys) or in
/// the environment variable `MCP_STATE_KEYS` (base64, several with commas between them). The first seals, all open. To
/// rotate, give the new key to every instance behind the old one, then put it in front everywhere, and drop the old one
/// when the last state that it sealed has expired.
///
/// ```
/// use mcp_runtime::StateKey;
///
/// # fn main() -> Result<(), mcp_runtime::StateKeyError> {
/// let key: StateKey = "3q2+796tvu/erb7v3q2+796tvu/erb7v3q2+796tvu8=".parse()?;
/// assert!("too short".parse::<StateKey>().is_err());
/// # let _ = key;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct StateKey {
    id: [u8; ID],
    cipher: XChaCha20Poly1305,
}

/// A text or bytes that are no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateKeyError;

impl fmt::Display for StateKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key is 32 bytes: as text, 44 characters of base64")
    }
}

impl std::error::Error for StateKeyError {}

impl StateKey {
    /// A key of 32 random bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        let digest = Sha256::digest([b"mcp-runtime state key id".as_slice(), &bytes].concat());
        let mut id = [0; ID];
        id.copy_from_slice(&digest[..ID]);
        StateKey { id, cipher: XChaCha20Poly1305::new(&Key::from(bytes)) }
    }

    /// A fresh key, for a server that nobody gave one.
    fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(StateKey::new(bytes))
    }
}

impl std::str::FromStr for StateKey {
    type Err = StateKeyError;

    fn from_str(text: &str) -> Result<Self, StateKeyError> {
        let bytes = STANDARD.decode(text.trim()).map_err(|_| StateKeyError)?;
        bytes.try_into().map(StateKey::new).map_err(|_| StateKeyError)
    }
}

impl fmt::Debug for StateKey {
    /// Shows the key's id, never the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Seals and opens. The first key seals.
#[derive(Debug, Clone)]
pub(crate) struct Seal(Vec<StateKey>);

impl Seal {
    /// A seal with these keys, or with those of the environment, or with a fresh one.
    pub(crate) fn new(keys: Vec<StateKey>) -> Result<Self, String> {
        if !keys.is_empty() {
            return Ok(Seal(keys));
        }
        if let Some(text) = std::env::var_os("MCP_STATE_KEYS") {
            let text = text.to_str().unwrap_or_default();
            let keys: Result<Vec<StateKey>, _> = text.split(',').map(str::parse).collect();
            return keys.map(Seal).map_err(|error| format!("`MCP_STATE_KEYS` is not valid: {error}"));
        }
        StateKey::random().map(|key| Seal(vec![key])).map_err(|error| format!("no random key can be made: {error}"))
    }

    /// Seals a text; `context` must be the same when it is opened.
    pub(crate) fn close(&self, plain: &[u8], context: &[u8]) -> Option<String> {
        let key = self.0.first()?;
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).ok()?;
        let payload = Payload { msg: plain, aad: context };
        let sealed = key.cipher.encrypt(&XNonce::from(nonce), payload).ok()?;
        let mut bytes = Vec::with_capacity(HEAD + sealed.len());
        bytes.push(VERSION);
        bytes.extend_from_slice(&key.id);
        bytes.extend_from_slice(&nonce);
        bytes.extend_from_slice(&sealed);
        Some(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Opens what was sealed with one of the keys in the same context.
    pub(crate) fn open(&self, text: &str, context: &[u8]) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (head, sealed) = bytes.split_at_checked(HEAD)?;
        let (version, rest) = head.split_first()?;
        let (id, nonce) = rest.split_at(ID);
        let nonce = XNonce::from(<[u8; NONCE]>::try_from(nonce).ok()?);
        let known = |key: &&StateKey| *version == VERSION && key.id.as_slice() == id;
        self.0
            .iter()
            .filter(known)
            .find_map(|key| key.cipher.decrypt(&nonce, Payload { msg: sealed, aad: context }).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seal(keys: &[u8]) -> Seal {
        Seal(keys.iter().map(|byte| StateKey::new([*byte; 32])).collect())
    }

    #[test]
    fn what_is_sealed_opens_in_its_context_only() {
        let seal = seal(&[1]);
        let sealed = seal.close(b"text", b"context").expect("sealed");
        assert_eq!(seal.open(&sealed, b"context").as_deref(), Some(b"text".as_slice()));
        assert_eq!(seal.open(&sealed, b"other"), None);
        assert!(!sealed.contains("text"));
        assert_ne!(sealed, seal.close(b"text", b"context").expect("sealed"), "nonces differ");
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_noticed() {
        let seal = seal(&[1]);
        let sealed = seal.close(b"text", b"").expect("sealed");
        let bytes = URL_SAFE_NO_PAD.decode(&sealed).expect("base64");
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(seal.open(&URL_SAFE_NO_PAD.encode(changed), b""), None, "byte {at}");
            assert_eq!(seal.open(&URL_SAFE_NO_PAD.encode(&bytes[..at]), b""), None, "cut at {at}");
        }
        for text in ["", "=", "é", &format!("{sealed}-TAMPERED"), &format!("{sealed}A")] {
            assert_eq!(seal.open(text, b""), None);
        }
    }

    #[test]
    fn keys_rotate() {
        let (old, both, new) = (seal(&[1]), seal(&[2, 1]), seal(&[2]));
        let sealed = old.close(b"text", b"").expect("sealed");
        assert!(both.open(&sealed, b"").is_some());
        assert!(new.open(&sealed, b"").is_none());
        let sealed = both.close(b"text", b"").expect("sealed");
        assert!(new.open(&sealed, b"").is_some());
        assert!(old.open(&sealed, b"").is_none());
    }
}
