//! Who wants to know when a resource changes: sessions of the handshake era that called `resources/subscribe`.

use super::Peer;
use crate::revision;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The peers with subscriptions. They are held weakly: a session that ends takes its subscriptions along.
#[derive(Default)]
pub(crate) struct Subscribers(Mutex<Vec<Weak<Peer>>>);

impl Subscribers {
    /// Adds a peer; once is enough, however many resources it subscribes to.
    pub(crate) fn add(&self, peer: &Arc<Peer>) {
        let mut peers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        peers.retain(|known| known.strong_count() > 0);
        if !peers.iter().any(|known| std::ptr::eq(known.as_ptr(), Arc::as_ptr(peer))) {
            peers.push(Arc::downgrade(peer));
        }
    }

    /// Tells every subscriber of a resource that it has changed.
    pub(crate) fn updated(&self, uri: &str) {
        // Outlets never block, but they are not called under the lock all the same.
        let peers: Vec<Arc<Peer>> = {
            let peers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            peers.iter().filter_map(Weak::upgrade).collect()
        };
        for peer in peers.iter().filter(|peer| peer.is_initialized() && peer.is_subscribed(uri)) {
            peer.outlet.send(revision::resource_updated(uri));
        }
    }
}
