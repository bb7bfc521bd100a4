//! One peer on one ordered, two-way stream of messages: what stdio and memory have in common.

use crate::dispatch::{Carrier, Core, Reaction};
use crate::session::{Outlet, Peer};
use std::sync::Arc;
use tokio_util::task::TaskTracker;

/// The server's end of the stream.
pub(crate) struct Duplex {
    core: Arc<Core>,
    peer: Arc<Peer>,
    tasks: TaskTracker,
}

impl Duplex {
    /// A stream whose outgoing messages, answers and notifications alike, go to `outlet` in order.
    pub(crate) fn new(core: Arc<Core>, outlet: Arc<dyn Outlet>) -> Self {
        Duplex { core, peer: Arc::new(Peer::new(outlet)), tasks: TaskTracker::new() }
    }

    /// Handles one message. What is not answered at once goes on in a task. Must be called inside of a runtime.
    pub(crate) fn receive(&self, text: &str) {
        let outlet = &self.peer.outlet;
        let carrier = Carrier { peer: Some(&self.peer), headers: None, outlet: &|| Arc::clone(outlet) };
        match self.core.receive(text, &carrier) {
            Reaction::Silence => {}
            Reaction::Answer(answer) => outlet.send(answer.body),
            Reaction::Later(answer) => {
                let outlet = Arc::clone(outlet);
                self.tasks.spawn(async move {
                    if let Some(answer) = answer.await {
                        outlet.send(answer.body);
                    }
                });
            }
        }
    }

    /// Waits until every call has been answered; no message may come any more.
    pub(crate) async fn finish(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}
