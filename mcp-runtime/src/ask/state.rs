//! `requestState`: a call's memory, sealed, bound to the call that it belongs to.
//!
//! Source: basic/patterns/mrtr of 2026-07-28.

use super::Seal;
use super::canonical::canonical;
use super::rounds::Memory;
use crate::wire::{Json, RpcError};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A longer lifetime counts as this one: about thirty years.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// The call that a state belongs to: its method, what it is about, and who calls.
pub(crate) struct Binding(Vec<u8>);

impl Binding {
    /// The binding of a request to one server; `arguments` count by value, not by how they are written.
    ///
    /// # Errors
    /// Arguments whose value cannot be told.
    pub(crate) fn new(
        server: &str,
        (method, subject): (&str, &str),
        arguments: Option<Json<'_>>,
        principal: Option<&str>,
    ) -> Result<Self, RpcError> {
        let mut text = String::new();
        if let Some(raw) = arguments {
            let unclear = || RpcError::invalid_params("`arguments` are nested too deeply, or repeat a member");
            canonical(raw, &mut text).ok_or_else(unclear)?;
        }
        let mut digest = Sha256::new();
        // Lengths before the parts: no two calls may come to the same bytes.
        for part in [server, method, subject, principal.unwrap_or_default(), &text] {
            digest.update(part.len().to_le_bytes());
            digest.update(part);
        }
        digest.update([u8::from(principal.is_some())]);
        Ok(Binding(digest.finalize().to_vec()))
    }
}

/// Remembers which states have been used, for servers that take each one once. Share one among all instances.
pub trait SingleUse: Send + Sync + 'static {
    /// Notes a use. False if the state was used before. Nothing needs to be kept after `expires`.
    fn first_use(&self, id: [u8; 16], expires: SystemTime) -> bool;
}

/// Uses noted in memory, for a server with one instance.
#[derive(Default)]
pub(crate) struct UsedHere(Mutex<Uses>);

#[derive(Default)]
struct Uses {
    ids: HashSet<[u8; 16]>,
    /// The same ids in the order in which they may be forgotten.
    by_expiry: BTreeSet<(SystemTime, [u8; 16])>,
}

impl SingleUse for UsedHere {
    fn first_use(&self, id: [u8; 16], expires: SystemTime) -> bool {
        let mut uses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = SystemTime::now();
        while let Some((_, id)) = uses.by_expiry.first().copied().filter(|(expires, _)| *expires <= now) {
            uses.by_expiry.pop_first();
            uses.ids.remove(&id);
        }
        uses.by_expiry.insert((expires, id));
        uses.ids.insert(id)
    }
}

/// How states are made and judged.
#[derive(Clone)]
pub(crate) struct StateSettings {
    pub(crate) keys: Vec<super::StateKey>,
    pub(crate) lifetime: Duration,
    pub(crate) max_bytes: usize,
    pub(crate) max_rounds: u32,
    pub(crate) single_use: Option<Arc<dyn SingleUse>>,
}

impl Default for StateSettings {
    fn default() -> Self {
        StateSettings {
            keys: Vec::new(),
            lifetime: Duration::from_secs(10 * 60),
            max_bytes: 64 * 1024,
            max_rounds: 32,
            single_use: None,
        }
    }
}

/// What is sealed.
#[derive(Serialize, Deserialize)]
struct Sealed {
    #[serde(rename = "e")]
    expires: u64,
    #[serde(rename = "i")]
    id: [u8; 16],
    #[serde(flatten)]
    memory: Memory,
}

/// Makes and judges states.
pub(crate) struct StateKeeper {
    seal: Seal,
    settings: StateSettings,
}

impl StateKeeper {
    pub(crate) fn new(settings: StateSettings) -> Result<Self, String> {
        Ok(StateKeeper { seal: Seal::new(settings.keys.clone())?, settings })
    }

    /// The state that a client carries to the next round; none if there is nothing to remember.
    pub(crate) fn seal(&self, memory: Memory, binding: &Binding) -> Result<Option<String>, RpcError> {
        if memory.is_empty() && self.settings.single_use.is_none() {
            return Ok(None);
        }
        if memory.round > self.settings.max_rounds {
            return Err(RpcError::new(crate::wire::INTERNAL_ERROR, "the call has asked too often"));
        }
        let mut id = [0; 16];
        let expires = SystemTime::now() + self.settings.lifetime.min(LONGEST);
        let sealed = getrandom::fill(&mut id).ok().and_then(|()| {
            let plain = serde_json::to_vec(&Sealed { expires: seconds(expires), id, memory }).ok()?;
            self.seal.close(&plain, &binding.0)
        });
        match sealed {
            Some(sealed) if sealed.len() <= self.settings.max_bytes => Ok(Some(sealed)),
            Some(_) => Err(RpcError::new(crate::wire::INTERNAL_ERROR, "the call has too much to remember")),
            None => Err(RpcError::internal()),
        }
    }

    /// Must answers come with a state? Without one they cannot be told from answers that have been used.
    pub(crate) fn is_needed(&self) -> bool {
        self.settings.single_use.is_some()
    }

    /// What a client has carried here, if it is whole, ours, not too old, and of this very call.
    pub(crate) fn open(&self, state: &str, binding: &Binding) -> Result<Memory, RpcError> {
        // One text for every reason: which one it was is nobody's business who has forged it.
        let refuse = || {
            let text = "`requestState` is not valid: it is changed, expired, of another request, or sealed with a key \
                        that this server does not have";
            RpcError::invalid_params(text)
        };
        if state.len() > self.settings.max_bytes {
            return Err(refuse());
        }
        let plain = self.seal.open(state, &binding.0).ok_or_else(refuse)?;
        let sealed: Sealed = serde_json::from_slice(&plain).map_err(|_| refuse())?;
        let expires = UNIX_EPOCH + Duration::from_secs(sealed.expires);
        if seconds(SystemTime::now()) >= sealed.expires {
            return Err(refuse());
        }
        let used = self.settings.single_use.as_ref().is_some_and(|uses| !uses.first_use(sealed.id, expires));
        if used { Err(refuse()) } else { Ok(sealed.memory) }
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn keeper(settings: StateSettings) -> StateKeeper {
        StateKeeper::new(StateSettings { keys: vec![super::super::StateKey::new([7; 32])], ..settings }).expect("keys")
    }

    fn memory() -> Memory {
        let steps = json!({"charge": 5}).as_object().cloned().unwrap_or_default();
        Memory { steps, asked: vec!["seat".into()], round: 1, ..Memory::default() }
    }

    fn binding(method: &str, arguments: &str, principal: Option<&str>) -> Binding {
        let arguments = Json::of(arguments).expect("JSON");
        Binding::new("server", (method, "book"), Some(arguments), principal).expect("clear arguments")
    }

    #[test]
    fn a_state_belongs_to_one_call_of_one_principal() {
        let keeper = keeper(StateSettings::default());
        let ours = || binding("tools/call", r#"{"a":1,"b":[2]}"#, Some("ada"));
        let state = keeper.seal(memory(), &ours()).expect("sealed").expect("something to remember");
        assert_eq!(keeper.open(&state, &ours()).ok(), Some(memory()));
        let same = binding("tools/call", r#"{ "b": [2], "a": 1 }"#, Some("ada"));
        assert!(keeper.open(&state, &same).is_ok(), "the same value written differently");
        for other in [
            binding("prompts/get", r#"{"a":1,"b":[2]}"#, Some("ada")),
            binding("tools/call", r#"{"a":1,"b":[3]}"#, Some("ada")),
            binding("tools/call", r#"{"a":1,"b":[2]}"#, Some("bob")),
            binding("tools/call", r#"{"a":1,"b":[2]}"#, None),
        ] {
            assert_eq!(keeper.open(&state, &other).expect_err("another call").code, -32602);
        }
    }

    #[test]
    fn a_state_expires_and_can_be_used_once() {
        let ours = || binding("tools/call", "{}", None);
        let expired = keeper(StateSettings { lifetime: Duration::ZERO, ..StateSettings::default() });
        let state = expired.seal(memory(), &ours()).expect("sealed").expect("a state");
        assert!(expired.open(&state, &ours()).is_err());
        let once =
            keeper(StateSettings { single_use: Some(Arc::new(UsedHere::default())), ..StateSettings::default() });
        let state = once.seal(memory(), &ours()).expect("sealed").expect("a state");
        assert!(once.open(&state, &ours()).is_ok());
        assert!(once.open(&state, &ours()).is_err());
    }

    #[test]
    fn rounds_and_sizes_have_an_end() {
        let keeper = keeper(StateSettings { max_bytes: 300, max_rounds: 3, ..StateSettings::default() });
        let ours = || binding("tools/call", "{}", None);
        assert!(keeper.seal(Memory { round: 4, ..memory() }, &ours()).is_err());
        let mut large = memory();
        large.steps.insert("text".into(), "x".repeat(300).into());
        assert!(keeper.seal(large, &ours()).is_err());
        assert!(keeper.open(&"A".repeat(301), &ours()).is_err());
        assert_eq!(keeper.seal(Memory::default(), &ours()).ok(), Some(None), "nothing to remember");
    }
}
