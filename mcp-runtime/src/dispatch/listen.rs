//! `subscriptions/listen`.
//!
//! Source: basic/patterns/subscriptions of 2026-07-28.

use super::{Answer, Carrier, Core, Reaction, Request, Standing};
use crate::model::Interests;
use crate::revision::{self, Member};
use crate::session::{Peer, Subscription};
use crate::wire::{self, Id, RpcError};
use std::sync::Arc;

/// How many resources one subscription may name, and how long the URI of each may be: it is kept for as long.
const MAX_RESOURCES: usize = 1_000;
pub(super) const MAX_URI: usize = 2 * 1024;

impl Core {
    pub(super) fn listen(&self, request: &Request<'_>, carrier: &Carrier<'_>) -> Reaction {
        let fail = |error: RpcError, standing| Reaction::Answer(Answer::error(Some(request.id), &error, standing));
        let declared = self.registry.declared();
        if declared.changes.is_empty() && !declared.subscribe {
            return fail(RpcError::method_not_found(&request.method), Standing::UnknownMethod);
        }
        let wanted = match revision::interests(request.params.get(Member::Notifications)) {
            Ok(wanted) if fits(&wanted) => wanted,
            Ok(_) => {
                let text = format!("a subscription names at most {MAX_RESOURCES} resources of {MAX_URI} bytes each");
                return fail(RpcError::invalid_params(text), Standing::Dispatched);
            }
            Err(error) => return fail(error, Standing::Dispatched),
        };
        let exists = |uri: &String| declared.subscribe && self.registry.resource(uri, &carrier.caller.access).is_some();
        let honoured = Interests {
            lists: wanted.lists.and(declared.changes),
            resources: wanted.resources.into_iter().filter(exists).collect(),
        };
        let crowded = |text: &'static str| fail(RpcError::new(wire::INTERNAL_ERROR, text), Standing::Crowded);
        if self.subscribers.len() >= self.bounds.subscriptions {
            return crowded("the server has too many subscriptions");
        }
        let most = self.bounds.subscriptions_per_peer;
        match (carrier.peer, carrier.headers) {
            (None, _) => {
                let place = carrier.caller.principal.map(|principal| self.listeners.enter(principal.as_str(), most));
                if matches!(place, Some(None)) {
                    return crowded("this client has too many subscriptions");
                }
                let subscription = Subscription::listening(request.id, honoured, None).in_place(place.flatten());
                let subscription = Arc::new(subscription);
                self.subscribers.add(&subscription);
                Reaction::Listen(subscription)
            }
            (Some(peer), None) => {
                let outlet = Some(Arc::clone(&peer.outlet));
                let subscription = Arc::new(Subscription::listening(request.id, honoured, outlet));
                if !peer.listening.enter(request.id, Arc::clone(&subscription), most) {
                    return crowded("this connection has too many subscriptions");
                }
                self.subscribers.add(&subscription);
                subscription.flush();
                Reaction::Silence
            }
            // A message of a session; its client has a stream for what it subscribes to.
            (Some(_), Some(_)) => fail(RpcError::method_not_found(&request.method), Standing::UnknownMethod),
        }
    }

    /// The last messages of a subscription that the server ends: what it has not been told yet, and the result.
    pub(crate) fn farewell(&self, subscription: &Subscription) -> Vec<Vec<u8>> {
        let (id, mut messages) = subscription.end();
        messages.extend(id.map(|id| self.listened(id)));
        messages
    }

    /// Ends the subscriptions of a connection; gives their last messages.
    pub(crate) fn farewells(&self, peer: &Peer) -> Vec<Vec<u8>> {
        let mut messages = Vec::new();
        for subscription in peer.listening.take() {
            let (id, rest) = subscription.end();
            messages.extend(rest);
            // Where all messages share one channel, the request that ends is named first.
            messages.extend(id.into_iter().flat_map(|id| [revision::subscription_ended(id), self.listened(id)]));
        }
        messages
    }

    fn listened(&self, id: Id<'_>) -> Vec<u8> {
        wire::result(id, 256, |out| revision::listened(out, id, &self.identity))
    }
}

fn fits(wanted: &Interests) -> bool {
    wanted.resources.len() <= MAX_RESOURCES && wanted.resources.iter().all(|uri| uri.len() <= MAX_URI)
}
