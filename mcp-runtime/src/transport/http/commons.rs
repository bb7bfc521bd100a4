//! What all clients share, so that none can take it all: of everything there is so much, and each address has only a part.
//!
//! Addresses are counted that may be strangers'. This machine's own are those of whoever runs the server and of proxies in front
//! of it, and proxies that are listed ask for many. A client with IPv6 has a whole network of addresses (RFC 4291, 2.5.4): it
//! counts as one.

use super::proxies::Proxies;
use crate::sync::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, PoisonError};

/// How many addresses it takes to have everything.
const PARTS: usize = 4;
/// The least that is anybody's part.
const LEAST: usize = 10;
/// The bits of an IPv6 address that a client chooses itself.
const OWN_BITS: u32 = 64;

/// The part of an address, where nobody says how much that is.
pub(super) fn part(all: usize) -> usize {
    (all / PARTS).max(LEAST)
}

/// Something of which there is so much.
pub(super) struct Commons {
    /// Its name, for the log.
    what: &'static str,
    /// How much each address may have.
    each: usize,
    proxies: Option<Proxies>,
    state: Mutex<State>,
}

struct State {
    left: usize,
    /// What those have who have something.
    parts: HashMap<IpAddr, Part>,
}

#[derive(Default)]
struct Part {
    amount: usize,
    /// The log knows that it is all that it may be.
    is_told: bool,
}

impl Commons {
    pub(super) fn new(what: &'static str, all: usize, each: usize, proxies: Option<&Proxies>) -> Arc<Self> {
        let state = Mutex::new(State { left: all, parts: HashMap::new() });
        Arc::new(Commons { what, each, proxies: proxies.cloned(), state })
    }

    /// Takes so much for the client at an address, if it is known; none if that is not there, or more than the client may have.
    pub(super) fn take(self: &Arc<Self>, client: Option<IpAddr>, amount: usize) -> Option<Taken> {
        let client = client.and_then(|address| self.counted(address.to_canonical()));
        let mut taken = Taken { commons: Arc::clone(self), client, amount: 0 };
        taken.more(amount).then_some(taken)
    }

    /// What an address is counted as, if it is.
    fn counted(&self, address: IpAddr) -> Option<IpAddr> {
        let is_proxy = || self.proxies.as_ref().is_some_and(|proxies| proxies.trust(address));
        if address.is_loopback() || is_proxy() {
            return None;
        }
        Some(match address {
            IpAddr::V4(_) => address,
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> OWN_BITS << OWN_BITS).into(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // It is whole before anything can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What somebody has, until it is dropped.
pub(super) struct Taken {
    commons: Arc<Commons>,
    client: Option<IpAddr>,
    amount: usize,
}

impl Taken {
    pub(super) fn amount(&self) -> usize {
        self.amount
    }

    /// Takes more; false if there is not so much, and then it stays as it was.
    pub(super) fn more(&mut self, amount: usize) -> bool {
        let mut state = self.commons.lock();
        let Some(left) = state.left.checked_sub(amount) else { return false };
        if let Some(client) = self.client {
            let sum = state.parts.get(&client).map_or(0, |part| part.amount).saturating_add(amount);
            if sum > self.commons.each {
                let is_news =
                    state.parts.get_mut(&client).is_some_and(|part| !std::mem::replace(&mut part.is_told, true));
                drop(state);
                if is_news {
                    let what = self.commons.what;
                    tracing::warn!(%client, what, "an address has all it may have; if it is a proxy, `trusted_proxies` should list it");
                }
                return false;
            }
            state.parts.entry(client).or_default().amount = sum;
        }
        state.left = left;
        self.amount += amount;
        true
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let mut state = self.commons.lock();
        state.left += self.amount;
        let Some(client) = self.client else { return };
        if let Some(part) = state.parts.get_mut(&client) {
            part.amount -= self.amount;
            if part.amount == 0 {
                state.parts.remove(&client);
            }
        }
    }
}
