//! The subscriptions that one peer has opened on its connection, by the ids of their requests.

use super::Subscription;
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::{Mutex, MutexGuard};
use crate::wire::{Id, OwnedId};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

/// How many resources the subscriptions of one connection may name together.
const MOST_RESOURCES: usize = 10_000;

#[derive(Default)]
pub(crate) struct Listening {
    /// Kept beside the table so that the usual case, an empty table, takes no lock.
    count: AtomicUsize,
    open: Mutex<HashMap<OwnedId, Open>>,
}

struct Open {
    subscription: Arc<Subscription>,
    resources: usize,
}

impl Listening {
    /// Is there a subscription by this request?
    pub(crate) fn contains(&self, id: Id<'_>) -> bool {
        self.count.load(Ordering::Acquire) > 0 && self.lock().contains_key(&OwnedId::from(id))
    }

    /// Enters a subscription, if there are fewer than `most`; false if the peer has too many.
    pub(crate) fn enter(&self, id: Id<'_>, subscription: Arc<Subscription>, most: usize) -> bool {
        let resources = subscription.resources();
        let mut open = self.lock();
        let named: usize = open.values().map(|open| open.resources).sum();
        if open.len() >= most || named + resources > MOST_RESOURCES {
            return false;
        }
        open.insert(id.into(), Open { subscription, resources });
        self.count.store(open.len(), Ordering::Release);
        true
    }

    /// Ends a subscription without a word: its client has cancelled it.
    pub(crate) fn cancel(&self, id: Id<'_>) {
        if self.count.load(Ordering::Acquire) == 0 {
            return;
        }
        let cancelled = {
            let mut open = self.lock();
            let cancelled = open.remove(&OwnedId::from(id));
            self.count.store(open.len(), Ordering::Release);
            cancelled
        };
        if let Some(cancelled) = cancelled {
            cancelled.subscription.end();
        }
    }

    /// Takes all of them out, for the server to end them.
    pub(crate) fn take(&self) -> Vec<Arc<Subscription>> {
        let mut open = self.lock();
        self.count.store(0, Ordering::Release);
        open.drain().map(|(_, open)| open.subscription).collect()
    }

    /// Puts out what waited for room.
    pub(crate) fn flush(&self) {
        if self.count.load(Ordering::Acquire) > 0 {
            let open: Vec<Arc<Subscription>> =
                self.lock().values().map(|open| Arc::clone(&open.subscription)).collect();
            open.iter().for_each(|subscription| subscription.flush());
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<OwnedId, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
