//! One session of a handshake-era client.

use super::commons::Taken;
use super::queue::{Log, Queue};
use super::sessions::NotOpened;
use crate::meter;
use crate::session::{EventStore, Peer, SessionStore};
use crate::sync::atomic::{AtomicU64, Ordering};
use crate::sync::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError};
use tokio::time::Instant;

/// How many digits the id of a session has: 128 random bits.
const DIGITS: usize = 32;
/// The number of the stream of messages that belong to no call.
pub(super) const STANDING: u64 = 0;

/// Which transport a session speaks. One of the one kind is none of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::transport) enum Kind {
    Streamable,
    /// HTTP+SSE: everything for the client goes on one stream, and the session ends with it.
    #[cfg_attr(not(feature = "sse"), allow(dead_code))]
    Sse,
}

/// A session.
pub(in crate::transport) struct Session {
    pub(super) key: u128,
    pub(super) kind: Kind,
    id: Arc<str>,
    /// Stands in for the id in the ids of events, which are less of a secret.
    tag: u64,
    peer: Arc<Peer>,
    /// The messages that belong to no call.
    queue: Arc<Queue>,
    /// The streams of calls that are under way, by number.
    streams: Mutex<HashMap<u64, Arc<Queue>>>,
    last_stream: AtomicU64,
    events: Arc<dyn EventStore>,
    store: Arc<dyn SessionStore>,
    activity: Mutex<Activity>,
    /// It counts as open.
    open: OnceLock<meter::Session>,
    /// The place of a session that is nobody's in particular.
    _place: Option<Taken>,
}

struct Activity {
    visits: usize,
    last: Instant,
}

/// Something that goes on in a session and keeps it from ending by itself.
pub(in crate::transport) struct Visit(Arc<Session>);

impl Session {
    /// A session whose client has said nothing yet.
    pub(super) fn new(
        kind: Kind,
        store: &Arc<dyn SessionStore>,
        events: &Arc<dyn EventStore>,
        place: Option<Taken>,
    ) -> Result<Self, NotOpened> {
        let random = || {
            let mut bits = [0; 16];
            getrandom::fill(&mut bits).map_err(|_| NotOpened::NoRandomness)?;
            Ok(u128::from_ne_bytes(bits))
        };
        let (key, tag) = (random()?, random()? as u64);
        let id: Arc<str> = format!("{key:0DIGITS$x}").into();
        let log = Log { events: Arc::clone(events), session: Arc::clone(&id), tag, stream: STANDING, polling: false };
        let queue = Arc::new(match kind {
            Kind::Streamable => Queue::logged(log),
            Kind::Sse => Queue::default(),
        });
        Ok(Session {
            key,
            kind,
            id,
            tag,
            peer: Arc::new(Peer::new(Arc::<Queue>::clone(&queue))),
            queue,
            streams: Mutex::default(),
            last_stream: AtomicU64::new(STANDING),
            events: Arc::clone(events),
            store: Arc::clone(store),
            activity: Mutex::new(Activity { visits: 0, last: Instant::now() }),
            open: OnceLock::new(),
            _place: place,
        })
    }

    /// The id, text for a header.
    pub(in crate::transport) fn id(&self) -> &str {
        &self.id
    }

    pub(in crate::transport) fn peer(&self) -> &Arc<Peer> {
        &self.peer
    }

    /// Somebody can enter it from now on.
    pub(super) fn opened(&self) {
        self.open.get_or_init(meter::Session::begin);
    }

    pub(super) fn visit(self: &Arc<Self>) -> Visit {
        self.activity().visits += 1;
        Visit(Arc::clone(self))
    }

    /// Since when nothing has gone on; `None` while something does.
    pub(super) fn resting_since(&self) -> Option<Instant> {
        let activity = self.activity();
        (activity.visits == 0).then_some(activity.last)
    }

    /// Tells the store that the session is in use.
    pub(super) fn touch(&self) {
        self.store.touch(&self.id);
    }

    /// Ends everything that waits.
    pub(super) fn end(&self) {
        self.peer.in_flight.cancel_all();
        self.peer.asks.close();
        self.end_standing_stream();
        let streams: Vec<_> = self.streams().drain().collect();
        streams.iter().for_each(|(_, queue)| queue.close());
    }

    pub(super) fn end_standing_stream(&self) {
        self.queue.close();
    }

    /// Does its client know streams that begin with an empty event, and come back when the server closes one?
    pub(super) fn polls(&self) -> bool {
        self.peer.handshake().is_some_and(|handshake| handshake.revision.features().polling)
    }

    fn streams(&self) -> MutexGuard<'_, HashMap<u64, Arc<Queue>>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn activity(&self) -> MutexGuard<'_, Activity> {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Session {
    /// Only now can nothing be added any more.
    fn drop(&mut self) {
        self.events.end(&self.id);
    }
}

/// Reads an id. Only the digits that are given out are read: every session has one name.
pub(super) fn parse(id: &str) -> Option<u128> {
    let digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    (id.len() == DIGITS && id.bytes().all(digit)).then(|| u128::from_str_radix(id, 16).ok())?
}

impl Visit {
    pub(in crate::transport) fn session(&self) -> &Session {
        &self.0
    }

    /// The messages that belong to no call.
    pub(in crate::transport) fn queue(&self) -> &Arc<Queue> {
        &self.0.queue
    }

    /// One more thing that goes on.
    pub(in crate::transport) fn again(&self) -> Visit {
        self.0.visit()
    }

    /// A queue for the messages of one call.
    pub(super) fn open_stream(&self) -> Arc<Queue> {
        let session = &*self.0;
        let stream = session.last_stream.fetch_add(1, Ordering::Relaxed) + 1;
        Arc::new(Queue::logged(Log {
            events: Arc::clone(&session.events),
            session: Arc::clone(&session.id),
            tag: session.tag,
            stream,
            polling: session.polls(),
        }))
    }

    /// Lets clients come back to a stream, until it is released.
    pub(super) fn enter_stream(&self, queue: &Arc<Queue>) {
        if let Some(log) = queue.log() {
            self.0.streams().insert(log.stream, Arc::clone(queue));
        }
    }

    /// The stream is over. What was sent on it is in the log, unless it was larger than a log.
    pub(super) fn release_stream(&self, queue: &Queue) {
        if let Some(log) = queue.log() {
            self.0.streams().remove(&log.stream);
        }
    }

    /// The stream of that number, if it is not over.
    pub(super) fn stream(&self, number: u64) -> Option<Arc<Queue>> {
        match number {
            STANDING => Some(Arc::clone(&self.0.queue)),
            number => self.0.streams().get(&number).cloned(),
        }
    }

    pub(super) fn tag(&self) -> u64 {
        self.0.tag
    }

    pub(super) fn events(&self) -> &dyn EventStore {
        &*self.0.events
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        {
            let mut activity = self.0.activity();
            activity.visits -= 1;
            activity.last = Instant::now();
        }
        self.0.touch();
    }
}
