//! Calls that have not been answered yet, by id, so that they can be cancelled.

use crate::wire::{Id, OwnedId};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio_util::sync::CancellationToken;

/// The calls of one peer that wait for their functions.
#[derive(Default)]
pub(crate) struct InFlight {
    /// Kept beside the table so that the usual case, an empty table, takes no lock.
    count: AtomicUsize,
    calls: Mutex<HashMap<OwnedId, CancellationToken>>,
}

/// A place in the table. Dropping it frees the place.
pub(crate) struct Ticket {
    table: Arc<InFlight>,
    id: OwnedId,
}

impl InFlight {
    /// Is a call with this id under way?
    pub(crate) fn contains(&self, id: Id<'_>) -> bool {
        self.count.load(Ordering::Acquire) > 0 && self.lock().contains_key(&OwnedId::from(id))
    }

    /// Enters a call.
    pub(crate) fn enter(self: &Arc<Self>, id: Id<'_>, token: CancellationToken) -> Ticket {
        let id = OwnedId::from(id);
        let mut calls = self.lock();
        calls.insert(id.clone(), token);
        self.count.store(calls.len(), Ordering::Release);
        Ticket { table: Arc::clone(self), id }
    }

    /// Cancels a call; an unknown or finished one is left alone.
    pub(crate) fn cancel(&self, id: Id<'_>) {
        if let Some(token) = self.remove(&OwnedId::from(id)) {
            token.cancel();
        }
    }

    /// Cancels every call.
    pub(crate) fn cancel_all(&self) {
        let tokens: Vec<CancellationToken> = {
            let mut calls = self.lock();
            self.count.store(0, Ordering::Release);
            calls.drain().map(|(_, token)| token).collect()
        };
        tokens.iter().for_each(CancellationToken::cancel);
    }

    fn remove(&self, id: &OwnedId) -> Option<CancellationToken> {
        let mut calls = self.lock();
        let token = calls.remove(id);
        self.count.store(calls.len(), Ordering::Release);
        token
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<OwnedId, CancellationToken>> {
        // The table is whole after every statement: a panic elsewhere cannot have left it half-changed.
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// Gives the place up; false if the call was cancelled before.
    pub(crate) fn leave(self) -> bool {
        self.table.remove(&self.id).is_some()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.table.remove(&self.id);
    }
}
