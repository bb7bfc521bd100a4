//! The sessions of handshake-era clients.
//!
//! A session ends when its client deletes it, or when it has rested for the idle timeout: one task for all sessions, which
//! itself ends with the last of them, takes care of that.

use super::queue::Queue;
use crate::session::Peer;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};

/// How many digits the id of a session has: 128 random bits.
const DIGITS: usize = 32;

/// All sessions of one endpoint.
pub(super) struct Sessions(Arc<Table>);

struct Table {
    state: Mutex<State>,
    idle_timeout: Duration,
    max: usize,
}

#[derive(Default)]
struct State {
    open: HashMap<u128, Arc<Session>>,
    reaper: Option<AbortHandle>,
}

/// One session.
pub(super) struct Session {
    peer: Arc<Peer>,
    /// The messages that belong to no call.
    queue: Arc<Queue>,
    activity: Mutex<Activity>,
}

struct Activity {
    visits: usize,
    last: Instant,
}

/// Something that goes on in a session and keeps it from ending by itself.
pub(super) struct Visit(Arc<Session>);

/// Why a session was not opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotOpened {
    /// There are as many as there may be.
    Full,
    /// The operating system gave no random bits.
    NoRandomness,
}

impl Sessions {
    pub(super) fn new(idle_timeout: Duration, max: usize) -> Self {
        Sessions(Arc::new(Table { state: Mutex::default(), idle_timeout, max }))
    }

    /// Opens the session under a new id, which is text for a header. Must be called inside of a runtime.
    pub(super) fn open(&self, session: Session) -> Result<String, NotOpened> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).map_err(|_| NotOpened::NoRandomness)?;
        let id = u128::from_ne_bytes(bits);
        let mut state = self.0.lock();
        if state.open.len() >= self.0.max {
            return Err(NotOpened::Full);
        }
        state.open.insert(id, Arc::new(session));
        if state.reaper.as_ref().is_none_or(AbortHandle::is_finished) {
            state.reaper = Some(tokio::spawn(reap(Arc::downgrade(&self.0))).abort_handle());
        }
        Ok(format!("{id:0DIGITS$x}"))
    }

    /// Enters the session of that id, if there is one.
    pub(super) fn visit(&self, id: &str) -> Option<Visit> {
        let id = parse(id)?;
        // Under the lock of the table, so that the session cannot end in between.
        let state = self.0.lock();
        Some(state.open.get(&id)?.visit())
    }

    /// Ends the session of that id; false if there is none.
    pub(super) fn end(&self, id: &str) -> bool {
        let removed = parse(id).and_then(|id| self.0.lock().open.remove(&id));
        removed.inspect(|session| session.end()).is_some()
    }

    /// Ends the standing streams. The sessions stay, for the calls that are under way.
    pub(super) fn end_streams(&self) {
        let sessions: Vec<_> = self.0.lock().open.values().cloned().collect();
        sessions.iter().for_each(|session| session.queue.close());
    }

    /// How many sessions there are.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.0.lock().open.len()
    }
}

/// The id that was written so. Only the digits that are given out are read: every session has one name.
fn parse(id: &str) -> Option<u128> {
    let digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    (id.len() == DIGITS && id.bytes().all(digit)).then(|| u128::from_str_radix(id, 16).ok())?
}

impl Table {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The table is whole after every statement.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends what has rested long enough; tells when to look again, or `None` if nothing is left.
    fn sweep(&self) -> Option<Instant> {
        let mut state = self.lock();
        let ended = state.end_idle(self.idle_timeout);
        if state.open.is_empty() {
            state.reaper = None;
            return None;
        }
        let now = Instant::now();
        let next = state.open.values().filter_map(|session| session.resting_since()).min().unwrap_or(now);
        drop(state);
        drop(ended);
        // Many sessions that end one shortly after the other are ended together.
        Some((next + self.idle_timeout).max(now + self.idle_timeout / 8))
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(reaper) = &state.reaper {
            reaper.abort();
        }
    }
}

impl State {
    /// Takes out the sessions that have rested too long. They are to be dropped when the lock is not held any more.
    fn end_idle(&mut self, timeout: Duration) -> Vec<(u128, Arc<Session>)> {
        let idle = |session: &Session| session.resting_since().is_some_and(|since| since.elapsed() >= timeout);
        self.open.extract_if(|_, session| idle(session)).collect()
    }
}

async fn reap(table: Weak<Table>) {
    while let Some(next) = table.upgrade().and_then(|table| table.sweep()) {
        sleep_until(next).await;
    }
}

impl Session {
    /// A session whose client has said nothing yet.
    pub(super) fn new() -> Self {
        let queue: Arc<Queue> = Arc::default();
        let peer = Arc::new(Peer::new(Arc::<Queue>::clone(&queue)));
        Session { peer, queue, activity: Mutex::new(Activity { visits: 0, last: Instant::now() }) }
    }

    pub(super) fn peer(&self) -> &Arc<Peer> {
        &self.peer
    }

    fn visit(self: &Arc<Self>) -> Visit {
        self.activity().visits += 1;
        Visit(Arc::clone(self))
    }

    /// Since when nothing has gone on; `None` while something does.
    fn resting_since(&self) -> Option<Instant> {
        let activity = self.activity();
        (activity.visits == 0).then_some(activity.last)
    }

    fn end(&self) {
        self.queue.close();
        self.peer.in_flight.cancel_all();
        self.peer.asks.close();
    }

    fn activity(&self) -> MutexGuard<'_, Activity> {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Visit {
    pub(super) fn peer(&self) -> &Arc<Peer> {
        &self.0.peer
    }

    pub(super) fn queue(&self) -> &Arc<Queue> {
        &self.0.queue
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let mut activity = self.0.activity();
        activity.visits -= 1;
        activity.last = Instant::now();
    }
}
