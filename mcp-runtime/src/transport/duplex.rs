//! One peer on one ordered, two-way stream of messages: what stdio and memory have in common.

#[cfg(feature = "stdio")]
use crate::dispatch::{self, Malformed};
use crate::dispatch::{Caller, Carrier, Core, Message, Reaction};
use crate::session::{Outlet, Peer};
use crate::wire::{self, RpcError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio_util::task::TaskTracker;

/// The way out of a stream.
pub(crate) trait Outgoing: Outlet {
    /// Queues an answer. Unlike a notification it must never be dropped.
    fn answer(&self, message: Vec<u8>);

    /// Has this called whenever there is room again, after [`has_room`](Outlet::has_room) has said that there is none.
    fn when_roomy(&self, resume: Resume);
}

/// What goes on when there is room.
pub(crate) type Resume = Box<dyn Fn() + Send + Sync>;

/// The server's end of the stream.
pub(crate) struct Duplex<O> {
    core: Arc<Core>,
    peer: Arc<Peer>,
    outgoing: Arc<O>,
    tasks: TaskTracker,
    /// No more calls are taken.
    stopping: AtomicBool,
}

impl<O: Outgoing> Duplex<O> {
    /// A stream whose messages to the peer, answers and notifications alike, take the same way in order.
    pub(crate) fn new(core: Arc<Core>, outgoing: Arc<O>) -> Self {
        let outlet: Arc<dyn Outlet> = Arc::<O>::clone(&outgoing);
        let peer = Arc::new(Peer::of_connection(outlet));
        let weak = Arc::downgrade(&peer);
        outgoing.when_roomy(Box::new(move || {
            if let Some(peer) = weak.upgrade() {
                peer.resume();
            }
        }));
        Duplex { core, peer, outgoing, tasks: TaskTracker::new(), stopping: AtomicBool::new(false) }
    }

    /// Handles one message. An answer that is there at once is returned, for the transport to send in the way that is best
    /// at this moment; what takes longer goes on in a task. Must be called inside of a runtime.
    pub(crate) fn receive(&self, text: &str) -> Option<Vec<u8>> {
        if self.stopping.load(Ordering::Relaxed)
            && let Ok(Message::Request(request)) = self.core.parse(text)
        {
            let error = RpcError::new(wire::INTERNAL_ERROR, "the server is about to end");
            return Some(wire::error(Some(request.id), &error));
        }
        let outlet = &self.peer.outlet;
        let carrier =
            Carrier { peer: Some(&self.peer), caller: Caller::OWNER, headers: None, outlet: &|| Arc::clone(outlet) };
        match self.core.receive(text, &carrier) {
            // A subscription shares the connection: dispatch has entered it already.
            Reaction::Silence | Reaction::Listen(_) => None,
            Reaction::Answer(answer) => Some(answer.body),
            Reaction::Later(answer) => {
                let outgoing = Arc::clone(&self.outgoing);
                self.tasks.spawn(async move {
                    if let Some(answer) = answer.await {
                        outgoing.answer(answer.body);
                    }
                });
                None
            }
        }
    }

    /// The error for a line that is not even a text, if the peer's revision has one. (How long it was is not known.)
    #[cfg(feature = "stdio")]
    pub(crate) fn refuse(&self, error: &RpcError) -> Option<Vec<u8>> {
        self.core.malformed(&Malformed { error, id: None, bytes: 0, principal: None, address: None, headers: None });
        dispatch::hears_errors_without_id(&self.peer).then(|| wire::error(None, error))
    }

    /// Takes no more calls.
    #[cfg(feature = "stdio")]
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Ends the subscriptions and waits until every call has been answered.
    pub(crate) async fn finish(&self) {
        // Nobody will answer a question any more.
        self.peer.asks.close();
        for message in self.core.farewells(&self.peer) {
            self.outgoing.answer(message);
        }
        self.tasks.close();
        self.tasks.wait().await;
    }
}
