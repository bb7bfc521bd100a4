//! The sessions of handshake-era clients.
//!
//! The store knows which sessions there are and whose; this table has what of them lives in this process. A session ends when
//! its client deletes it, or when it has rested for the idle timeout: one task for all sessions, which itself ends with the
//! last of them, takes care of that.

use super::Settings;
use super::commons::{self, Commons};
use super::session::{Kind, Session, Visit, parse};
use crate::dispatch::Caller;
use crate::session::{
    EventStore, MemoryEvents, MemorySessions, SessionLimits, SessionRecord, SessionRoom, SessionStore, StoreError,
};
use crate::sync::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, Weak};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};

/// All sessions of one endpoint.
pub(in crate::transport) struct Sessions(Arc<Table>);

struct Table {
    state: Mutex<State>,
    store: Arc<dyn SessionStore>,
    events: Arc<dyn EventStore>,
    limits: SessionLimits,
    /// The sessions of clients that have no names but their addresses.
    nameless: Arc<Commons>,
}

#[derive(Default)]
struct State {
    live: HashMap<u128, Arc<Session>>,
    reaper: Option<AbortHandle>,
}

/// Why a session was not opened.
#[derive(Debug)]
pub(in crate::transport) enum NotOpened {
    /// There are as many as there may be.
    Full,
    /// The principal, or the address of a client without one, has as many as it may have.
    FullForPrincipal,
    /// The operating system gave no random bits.
    NoRandomness,
    Store(StoreError),
}

/// Why a session was not entered.
#[derive(Debug)]
pub(in crate::transport) enum NotEntered {
    /// There is none of that id for this principal.
    Unknown,
    Store(StoreError),
}

impl Sessions {
    pub(super) fn new(settings: &Settings) -> Self {
        let (max, per_principal) = (settings.max_sessions, settings.max_sessions_per_principal);
        // How many there may be in all is for the store to say.
        let nameless = Commons::new("sessions", usize::MAX, commons::part(max), settings.proxies.as_ref());
        Sessions(Arc::new(Table {
            state: Mutex::default(),
            store: settings.session_store.clone().unwrap_or_else(|| Arc::new(MemorySessions::default())),
            events: settings.event_store.clone().unwrap_or_else(|| Arc::new(MemoryEvents::default())),
            limits: SessionLimits::new(settings.session_idle_timeout, max, per_principal),
            nameless,
        }))
    }

    /// A session that nobody can enter yet.
    pub(in crate::transport) fn prepare(&self, kind: Kind, caller: &Caller<'_>) -> Result<Session, NotOpened> {
        let place = match caller.principal {
            None => Some(self.0.nameless.take(caller.address, 1).ok_or(NotOpened::FullForPrincipal)?),
            Some(_) => None,
        };
        Session::new(kind, &self.0.store, &self.0.events, place)
    }

    /// Opens the session. Must be called inside of a runtime.
    pub(in crate::transport) async fn open(
        &self,
        session: Session,
        principal: Option<&str>,
    ) -> Result<Visit, NotOpened> {
        let table = &self.0;
        let record = SessionRecord::new(principal.map(str::to_owned));
        match table.store.open(session.id(), record, &table.limits).await.map_err(NotOpened::Store)? {
            SessionRoom::Open => {}
            SessionRoom::Full => return Err(NotOpened::Full),
            SessionRoom::FullForPrincipal => return Err(NotOpened::FullForPrincipal),
        }
        session.opened();
        let session = Arc::new(session);
        let visit = session.visit();
        let mut state = table.lock();
        state.live.insert(session.key, session);
        if state.reaper.as_ref().is_none_or(AbortHandle::is_finished) {
            state.reaper = Some(tokio::spawn(reap(Arc::downgrade(table))).abort_handle());
        }
        Ok(visit)
    }

    /// Enters the session of that id, if it is one of this kind and of this principal.
    pub(in crate::transport) async fn enter(
        &self,
        id: &str,
        kind: Kind,
        principal: Option<&str>,
    ) -> Result<Visit, NotEntered> {
        // What is no id is not worth the store's time.
        let key = parse(id).ok_or(NotEntered::Unknown)?;
        let Some(record) = self.0.store.find(id).await.map_err(NotEntered::Store)? else {
            // The store has ended it before this table was told.
            self.forget(key);
            return Err(NotEntered::Unknown);
        };
        if record.principal.as_deref() != principal {
            return Err(NotEntered::Unknown);
        }
        // Under the lock of the table, so that the session cannot end in between.
        let visit = {
            let state = self.0.lock();
            let session = state.live.get(&key).filter(|session| session.kind == kind);
            session.ok_or(NotEntered::Unknown)?.visit()
        };
        visit.session().touch();
        Ok(visit)
    }

    /// Ends the session of a visit.
    pub(in crate::transport) async fn end(&self, visit: &Visit) -> Result<(), StoreError> {
        let session = visit.session();
        let ended = self.0.store.end(session.id()).await;
        // Whatever the store says, nothing goes on here.
        self.forget(session.key);
        ended.map(|_| ())
    }

    /// Ends what lives here, without a word to the store.
    fn forget(&self, key: u128) {
        let removed = self.0.lock().live.remove(&key);
        if let Some(session) = removed {
            session.end();
        }
    }

    /// Ends the standing streams of one kind. The sessions stay, for the calls that are under way.
    pub(super) fn end_streams(&self, kind: Kind) {
        self.all().iter().filter(|session| session.kind == kind).for_each(|session| session.end_standing_stream());
    }

    /// Nobody will answer a question any more.
    pub(super) fn end_questions(&self) {
        self.all().iter().for_each(|session| session.peer().asks.close());
    }

    fn all(&self) -> Vec<Arc<Session>> {
        self.0.lock().live.values().cloned().collect()
    }

    /// How many sessions there are.
    #[cfg(test)]
    pub(in crate::transport) fn count(&self) -> usize {
        self.0.lock().live.len()
    }
}

impl Table {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The table is whole after every statement.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends what has rested long enough; tells when to look again, or `None` if nothing is left.
    async fn sweep(&self) -> Option<Instant> {
        let (ended, busy, next) = {
            let mut state = self.lock();
            let timeout = self.limits.idle_timeout;
            let idle = |session: &Session| session.resting_since().is_some_and(|since| since.elapsed() >= timeout);
            let ended: Vec<_> = state.live.extract_if(|_, session| idle(session)).map(|(_, session)| session).collect();
            let busy: Vec<_> = state.live.values().filter(|s| s.resting_since().is_none()).cloned().collect();
            let rest = state.live.values().filter_map(|session| session.resting_since()).min();
            let now = Instant::now();
            // The store must hear of sessions in use well before it takes them for idle.
            let used = now + timeout / 2;
            let next = rest.map_or(used, |since| used.min(since + timeout));
            let next = (!state.live.is_empty()).then_some(next);
            if next.is_none() {
                state.reaper = None;
            }
            // Many sessions that end one shortly after the other are ended together.
            (ended, busy, next.map(|next| next.max(now + timeout / 8)))
        };
        busy.iter().for_each(|session| session.touch());
        for session in &ended {
            session.end();
            if let Err(error) = self.store.end(session.id()).await {
                tracing::warn!(%error, "the end of a session was not stored");
            }
        }
        next
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

async fn reap(table: Weak<Table>) {
    loop {
        let next = match table.upgrade() {
            Some(table) => table.sweep().await,
            None => return,
        };
        match next {
            Some(next) => sleep_until(next).await,
            None => return,
        }
    }
}

#[cfg(all(test, shuttle))]
mod schedules;
