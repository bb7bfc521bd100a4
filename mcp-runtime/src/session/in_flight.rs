//! Calls that have not been answered yet, by id, so that they can be cancelled.

use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Mutex, MutexGuard};
use crate::wire::{Id, OwnedId};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, PoisonError};
use tokio_util::sync::CancellationToken;

/// The calls of one peer that wait for their functions.
#[derive(Default)]
pub(crate) struct InFlight {
    /// Kept beside the table so that the usual case, an empty table, takes no lock.
    count: AtomicUsize,
    calls: Mutex<Calls>,
}

#[derive(Default)]
struct Calls {
    by_id: HashMap<OwnedId, Call>,
    last: u64,
}

struct Call {
    /// Tells this call from a later one with the same id.
    serial: u64,
    token: CancellationToken,
}

/// A call's place in the table. Dropping it frees the place.
pub(crate) struct Ticket {
    table: Arc<InFlight>,
    id: OwnedId,
    serial: u64,
}

/// Why a call does not get a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotEntered {
    /// Another call has the id.
    Taken,
    /// The peer has too many calls under way.
    Full,
}

impl InFlight {
    /// Is a call with this id under way?
    pub(crate) fn contains(&self, id: Id<'_>) -> bool {
        self.count.load(Ordering::Acquire) > 0 && self.lock().by_id.contains_key(&OwnedId::from(id))
    }

    /// How many calls are under way.
    pub(crate) fn len(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// Enters a call, if there are fewer than `most`.
    pub(crate) fn enter(
        self: &Arc<Self>,
        id: Id<'_>,
        token: CancellationToken,
        most: usize,
    ) -> Result<Ticket, NotEntered> {
        let id = OwnedId::from(id);
        let mut calls = self.lock();
        if calls.by_id.len() >= most {
            return Err(NotEntered::Full);
        }
        calls.last += 1;
        let serial = calls.last;
        match calls.by_id.entry(id.clone()) {
            Entry::Occupied(_) => return Err(NotEntered::Taken),
            Entry::Vacant(place) => drop(place.insert(Call { serial, token })),
        }
        self.count.store(calls.by_id.len(), Ordering::Release);
        Ok(Ticket { table: Arc::clone(self), id, serial })
    }

    /// Cancels a call; an unknown or finished one is left alone.
    pub(crate) fn cancel(&self, id: Id<'_>) {
        if let Some(call) = self.remove(&OwnedId::from(id), None) {
            call.token.cancel();
        }
    }

    /// Cancels every call.
    pub(crate) fn cancel_all(&self) {
        let cancelled: Vec<Call> = {
            let mut calls = self.lock();
            self.count.store(0, Ordering::Release);
            calls.by_id.drain().map(|(_, call)| call).collect()
        };
        cancelled.iter().for_each(|call| call.token.cancel());
    }

    /// Removes a call; with a serial number only that very one.
    fn remove(&self, id: &OwnedId, serial: Option<u64>) -> Option<Call> {
        let mut calls = self.lock();
        let Entry::Occupied(place) = calls.by_id.entry(id.clone()) else { return None };
        if serial.is_some_and(|serial| serial != place.get().serial) {
            return None;
        }
        let call = place.remove();
        self.count.store(calls.by_id.len(), Ordering::Release);
        Some(call)
    }

    fn lock(&self) -> MutexGuard<'_, Calls> {
        // The table is whole after every statement: a panic elsewhere cannot have left it half-changed.
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// Gives the place up; false if the call was cancelled before.
    pub(crate) fn leave(&self) -> bool {
        self.table.remove(&self.id, Some(self.serial)).is_some()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.leave();
    }
}

#[cfg(all(test, shuttle))]
mod schedules;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Json;

    #[test]
    fn a_place_belongs_to_one_call_even_if_its_id_comes_again() {
        let table = Arc::<InFlight>::default();
        let id = Json::of("7").and_then(Id::new).expect("an id");
        let first = table.enter(id, CancellationToken::new(), 9).expect("a place");
        assert_eq!(table.enter(id, CancellationToken::new(), 9).err(), Some(NotEntered::Taken));
        table.cancel(id);
        let second = table.enter(id, CancellationToken::new(), 9).expect("the place is free again");
        drop(first);
        assert!(table.contains(id), "the first call's end does not touch the second");
        assert!(second.leave() && !second.leave());
        assert!(!table.contains(id));
    }
}
