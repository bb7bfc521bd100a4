//! The other side of a connection (stdio) or of a handshake-era session (HTTP).

use super::{InFlight, Listening, Outlet, Subscription};
use crate::ask::Asks;
use crate::model::{Level, ListKinds};
use crate::revision::Revision;
use crate::wire::{Id, OwnedJson};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// How many peers there have been.
static PEERS: AtomicU64 = AtomicU64::new(0);

/// What `initialize` settled.
pub(crate) struct Handshake {
    pub(crate) revision: Revision,
    pub(crate) client_info: Option<OwnedJson>,
    pub(crate) capabilities: Option<OwnedJson>,
    /// The lists of which the client was told that they may change.
    pub(crate) changes: ListKinds,
}

/// State that belongs to one peer. The stateless era uses nothing of it but the calls in flight and the subscriptions.
pub(crate) struct Peer {
    number: u64,
    handshake: OnceLock<Handshake>,
    level: AtomicU8,
    level_is_set: AtomicBool,
    pub(crate) in_flight: Arc<InFlight>,
    /// The subscriptions by `subscriptions/listen`.
    pub(crate) listening: Listening,
    /// What the session is told of changes.
    pub(crate) news: Arc<Subscription>,
    /// Questions to the client that wait for their answers.
    pub(crate) asks: Arc<Asks>,
    /// Where messages go that belong to no call.
    pub(crate) outlet: Arc<dyn Outlet>,
}

impl Peer {
    /// A peer that has said nothing yet, and whose standing event stream fetches the news.
    pub(crate) fn new(outlet: Arc<dyn Outlet>) -> Self {
        Peer::with(outlet, Subscription::of_session(None))
    }

    /// A peer that has said nothing yet; news go the way of everything else.
    pub(crate) fn of_connection(outlet: Arc<dyn Outlet>) -> Self {
        let news = Subscription::of_session(Some(Arc::clone(&outlet)));
        Peer::with(outlet, news)
    }

    fn with(outlet: Arc<dyn Outlet>, news: Subscription) -> Self {
        Peer {
            number: PEERS.fetch_add(1, Ordering::Relaxed),
            handshake: OnceLock::new(),
            level: AtomicU8::new(Level::Info as u8),
            level_is_set: AtomicBool::new(false),
            in_flight: Arc::default(),
            listening: Listening::default(),
            news: Arc::new(news),
            asks: Arc::default(),
            outlet,
        }
    }

    /// Tells it from all others of the process.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Does the id belong to a request that is not finished?
    pub(crate) fn is_busy_with(&self, id: Id<'_>) -> bool {
        self.in_flight.contains(id) || self.listening.contains(id)
    }

    /// The client gives a request up.
    pub(crate) fn cancel(&self, id: Id<'_>) {
        self.in_flight.cancel(id);
        self.listening.cancel(id);
    }

    /// There is room again for what has been kept back.
    pub(crate) fn resume(&self) {
        self.news.flush();
        self.listening.flush();
    }

    /// What `initialize` settled, if it has been called.
    pub(crate) fn handshake(&self) -> Option<&Handshake> {
        self.handshake.get()
    }

    /// Settles the handshake; false if there was one already.
    pub(crate) fn settle(&self, handshake: Handshake) -> bool {
        self.handshake.set(handshake).is_ok()
    }

    /// Sets the least severe level of log messages that the client wants.
    pub(crate) fn set_level(&self, level: Level) {
        self.level.store(level as u8, Ordering::Relaxed);
        self.level_is_set.store(true, Ordering::Relaxed);
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
