//! The other side of a connection (stdio) or of a handshake-era session (HTTP).

use super::{InFlight, Outlet};
use crate::ask::Asks;
use crate::model::Level;
use crate::revision::Revision;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What `initialize` settled.
pub(crate) struct Handshake {
    pub(crate) revision: Revision,
    pub(crate) client_info: Option<Box<RawValue>>,
    pub(crate) capabilities: Option<Box<RawValue>>,
}

/// State that belongs to one peer. The stateless era uses nothing of it but the calls in flight.
pub(crate) struct Peer {
    handshake: OnceLock<Handshake>,
    initialized: AtomicBool,
    level: AtomicU8,
    level_is_set: AtomicBool,
    subscriptions: Mutex<HashSet<String>>,
    pub(crate) in_flight: Arc<InFlight>,
    /// Questions to the client that wait for their answers.
    pub(crate) asks: Arc<Asks>,
    /// Where messages go that belong to no call.
    pub(crate) outlet: Arc<dyn Outlet>,
}

impl Peer {
    /// A peer that has said nothing yet.
    pub(crate) fn new(outlet: Arc<dyn Outlet>) -> Self {
        Peer {
            handshake: OnceLock::new(),
            initialized: AtomicBool::new(false),
            level: AtomicU8::new(Level::Info as u8),
            level_is_set: AtomicBool::new(false),
            subscriptions: Mutex::default(),
            in_flight: Arc::default(),
            asks: Arc::default(),
            outlet,
        }
    }

    /// What `initialize` settled, if it has been called.
    pub(crate) fn handshake(&self) -> Option<&Handshake> {
        self.handshake.get()
    }

    /// Settles the handshake; false if there was one already.
    pub(crate) fn settle(&self, handshake: Handshake) -> bool {
        self.handshake.set(handshake).is_ok()
    }

    /// The client has said `notifications/initialized`.
    pub(crate) fn set_initialized(&self) {
        self.initialized.store(true, Ordering::Release);
    }

    /// May the server send messages of its own?
    pub(crate) fn is_initialized(&self) -> bool {
        self.initialized.load(Ordering::Acquire)
    }

    /// Sets the least severe level of log messages that the client wants.
    pub(crate) fn set_level(&self, level: Level) {
        self.level.store(level as u8, Ordering::Relaxed);
        self.level_is_set.store(true, Ordering::Relaxed);
    }

    /// Adds a subscription to a resource; false if the peer has too many.
    pub(crate) fn subscribe(&self, uri: &str, limit: usize) -> bool {
        let mut subscriptions = self.subscriptions();
        subscriptions.contains(uri) || (subscriptions.len() < limit && subscriptions.insert(uri.to_owned()))
    }

    /// Ends a subscription.
    pub(crate) fn unsubscribe(&self, uri: &str) {
        self.subscriptions().remove(uri);
    }

    /// Does the peer want to know when the resource changes?
    pub(crate) fn is_subscribed(&self, uri: &str) -> bool {
        self.subscriptions().contains(uri)
    }

    fn subscriptions(&self) -> std::sync::MutexGuard<'_, HashSet<String>> {
        self.subscriptions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the wanted level of log messages comes from.
#[derive(Clone)]
pub(crate) enum LevelSource {
    /// From the request itself (`None`: it wants none).
    Request(Option<Level>),
    /// From the session, where `logging/setLevel` may change it at any time.
    Session(Arc<Peer>),
}

impl LevelSource {
    /// Has the client asked for log messages? (A session that has not still gets those that a function sends by itself.)
    pub(crate) fn is_asked_for(&self) -> bool {
        match self {
            LevelSource::Request(least) => least.is_some(),
            LevelSource::Session(peer) => peer.level_is_set.load(Ordering::Relaxed),
        }
    }

    pub(crate) fn admits(&self, level: Level) -> bool {
        match self {
            LevelSource::Request(least) => least.is_some_and(|least| level >= least),
            LevelSource::Session(peer) => level as u8 >= peer.level.load(Ordering::Relaxed),
        }
    }
}
