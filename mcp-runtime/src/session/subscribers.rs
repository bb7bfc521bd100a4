//! Everybody who wants to know when something changes.

use super::Subscription;
use crate::model::ListKinds;
use crate::sync::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, Weak};

/// The subscriptions of all peers, of both eras, by their address. They are held weakly: whoever goes takes them along.
#[derive(Default)]
pub(crate) struct Subscribers(Mutex<HashMap<usize, Weak<Subscription>>>);

impl Subscribers {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Enters a subscription; once is enough.
    pub(crate) fn add(self: &Arc<Self>, subscription: &Arc<Subscription>) {
        subscription.enter(self);
        self.lock().insert(Arc::as_ptr(subscription).addr(), Arc::downgrade(subscription));
    }

    /// Forgets a subscription that is going.
    pub(super) fn remove(&self, subscription: &Subscription) {
        let mut entered = self.lock();
        entered.remove(&std::ptr::from_ref(subscription).addr());
        // A crowd that has gone must not leave its room behind.
        if entered.len() < entered.capacity() / 4 {
            let kept = entered.len() * 2;
            entered.shrink_to(kept);
        }
    }

    /// Tells everybody concerned that lists have changed.
    pub(crate) fn lists_changed(&self, kinds: ListKinds) {
        if !kinds.is_empty() {
            self.all().iter().for_each(|subscription| subscription.lists_changed(kinds));
        }
    }

    /// Tells everybody concerned that a resource has changed.
    pub(crate) fn resource_updated(&self, uri: &str) {
        self.all().iter().for_each(|subscription| subscription.resource_updated(uri));
    }

    /// Outlets never block, but nobody is told under the lock all the same.
    fn all(&self) -> Vec<Arc<Subscription>> {
        self.lock().values().filter_map(Weak::upgrade).collect()
    }

    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<usize, Weak<Subscription>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
