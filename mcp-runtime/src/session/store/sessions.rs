//! Which sessions there are, and whose they are.

use super::StoreFuture;
use std::collections::HashMap;
use std::future::ready;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// What is known of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionRecord {
    /// Who opened it; `None` if nobody had to tell. The session is for nobody else.
    pub principal: Option<String>,
}

impl SessionRecord {
    /// The record of a session that this principal opens.
    #[must_use]
    pub fn new(principal: Option<String>) -> Self {
        SessionRecord { principal }
    }
}

/// How many sessions there may be, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionLimits {
    /// A session that has not been used for so long has ended.
    pub idle_timeout: Duration,
    /// How many there may be in all.
    pub max: usize,
    /// How many each principal may have. It does not concern sessions without one.
    pub max_per_principal: usize,
}

impl SessionLimits {
    /// These limits.
    #[must_use]
    pub fn new(idle_timeout: Duration, max: usize, max_per_principal: usize) -> Self {
        SessionLimits { idle_timeout, max, max_per_principal }
    }
}

/// Whether a session could be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionRoom {
    /// It is open.
    Open,
    /// There are as many as there may be.
    Full,
    /// Its principal has as many as it may have.
    FullForPrincipal,
}

/// Keeps the table of sessions: their ids, whose they are, and when they end by themselves.
///
/// Comparing principals is not the store's affair. The ids are the caller's, who makes each of them once.
///
/// Source: basic/transports of 2025-11-25, Session Management.
pub trait SessionStore: Send + Sync + 'static {
    /// Opens a session, if there is room. Sessions that have ended take none.
    ///
    /// # Errors
    /// The store cannot be reached; then the session is not open.
    fn open<'a>(
        &'a self,
        id: &'a str,
        record: SessionRecord,
        limits: &'a SessionLimits,
    ) -> StoreFuture<'a, SessionRoom>;

    /// The session of that id; `None` if it has ended or never was. This alone is no use of it.
    ///
    /// # Errors
    /// The store cannot be reached.
    fn find<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<SessionRecord>>;

    /// The session is in use: its idle timeout begins anew. An ended one stays ended. Must neither block nor panic.
    fn touch(&self, id: &str);

    /// Ends a session; false if there was none.
    ///
    /// # Errors
    /// The store cannot be reached.
    fn end<'a>(&'a self, id: &'a str) -> StoreFuture<'a, bool>;
}

/// Keeps the table in the memory of the process.
#[derive(Debug, Default)]
pub struct MemorySessions(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    open: HashMap<String, Entry>,
    /// How many sessions each principal has.
    owned: HashMap<String, usize>,
}

#[derive(Debug)]
struct Entry {
    record: SessionRecord,
    idle_timeout: Duration,
    last: Instant,
}

impl Entry {
    fn is_over(&self) -> bool {
        self.last.elapsed() >= self.idle_timeout
    }
}

impl Table {
    fn remove(&mut self, id: &str) -> Option<Entry> {
        let entry = self.open.remove(id)?;
        self.disown(&entry);
        Some(entry)
    }

    fn disown(&mut self, entry: &Entry) {
        let Some(principal) = &entry.record.principal else { return };
        if let Some(owned) = self.owned.get_mut(principal) {
            *owned -= 1;
            if *owned == 0 {
                self.owned.remove(principal);
            }
        }
    }

    fn sweep(&mut self) {
        let over: Vec<Entry> = self.open.extract_if(|_, entry| entry.is_over()).map(|(_, entry)| entry).collect();
        over.iter().for_each(|entry| self.disown(entry));
    }

    fn room(&self, principal: Option<&str>, limits: &SessionLimits) -> SessionRoom {
        let owned = principal.and_then(|principal| self.owned.get(principal)).copied().unwrap_or(0);
        if self.open.len() >= limits.max {
            SessionRoom::Full
        } else if principal.is_some() && owned >= limits.max_per_principal {
            SessionRoom::FullForPrincipal
        } else {
            SessionRoom::Open
        }
    }
}

impl MemorySessions {
    fn lock(&self) -> MutexGuard<'_, Table> {
        // The table is whole again before anything can panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionStore for MemorySessions {
    fn open<'a>(
        &'a self,
        id: &'a str,
        record: SessionRecord,
        limits: &'a SessionLimits,
    ) -> StoreFuture<'a, SessionRoom> {
        let mut table = self.lock();
        let mut room = table.room(record.principal.as_deref(), limits);
        if room != SessionRoom::Open {
            table.sweep();
            room = table.room(record.principal.as_deref(), limits);
        }
        if room == SessionRoom::Open {
            if let Some(principal) = &record.principal {
                *table.owned.entry(principal.clone()).or_default() += 1;
            }
            let entry = Entry { record, idle_timeout: limits.idle_timeout, last: Instant::now() };
            table.open.insert(id.to_owned(), entry);
        }
        Box::pin(ready(Ok(room)))
    }

    fn find<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<SessionRecord>> {
        let mut table = self.lock();
        let found = match table.open.get(id) {
            Some(entry) if entry.is_over() => {
                table.remove(id);
                None
            }
            found => found.map(|entry| entry.record.clone()),
        };
        Box::pin(ready(Ok(found)))
    }

    fn touch(&self, id: &str) {
        if let Some(entry) = self.lock().open.get_mut(id).filter(|entry| !entry.is_over()) {
            entry.last = Instant::now();
        }
    }

    fn end<'a>(&'a self, id: &'a str) -> StoreFuture<'a, bool> {
        let ended = self.lock().remove(id).is_some_and(|entry| !entry.is_over());
        Box::pin(ready(Ok(ended)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract;
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn memory_keeps_the_contract() {
        let store = MemorySessions::default();
        contract::sessions(&store).await;
        let table = store.lock();
        assert!(table.open.is_empty() && table.owned.is_empty());
    }
}
