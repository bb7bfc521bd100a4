//! Requests to the client of a session that wait for their responses.

use crate::ToolError;
use crate::revision;
use crate::session::Outlet;
use crate::sync::atomic::{AtomicU64, Ordering};
use crate::sync::{Mutex, MutexGuard};
use crate::wire::{self, Id, Json};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// How long a client may take to answer: a person sits behind it.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
/// More questions than this do not wait at the same time in one session.
const MOST: usize = 256;

/// The response to a request, as it came.
type Response = Result<Value, String>;

/// The requests of one session.
#[derive(Default)]
pub(crate) struct Asks {
    last: AtomicU64,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    requests: HashMap<u64, oneshot::Sender<Response>>,
    /// The session has ended: nobody will answer any more.
    closed: bool,
}

impl Asks {
    /// Sends a request through `outlet` and waits for the response.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        outlet: &Arc<dyn Outlet>,
        method: &str,
        params: &Value,
    ) -> Result<Value, ToolError> {
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let (sender, response) = oneshot::channel();
        {
            let mut waiting = self.lock();
            if waiting.closed {
                return Err(ToolError::new("the client's session has ended"));
            }
            if waiting.requests.len() >= MOST {
                return Err(ToolError::new("the client has too many open questions"));
            }
            waiting.requests.insert(number, sender);
        }
        // A handler that is dropped meanwhile leaves no entry behind.
        let mut entry = Entry { asks: self, number, outlet: None };
        let id = format!("\"ask-{number}\"");
        let message =
            Json::of(&id).and_then(Id::new).map(|id| wire::request(id, method, |out| wire::value_into(out, params)));
        if !message.is_some_and(|message| outlet.insist(message)) {
            return Err(ToolError::new("the client cannot be asked: it does not take messages during a call"));
        }
        entry.outlet = Some(outlet);
        match tokio::time::timeout(PATIENCE, response).await {
            Ok(Ok(response)) => {
                response.map_err(|error| ToolError::new(format!("the client could not answer: {error}")))
            }
            Ok(Err(_)) => Err(ToolError::new("the client's session has ended")),
            Err(_) => Err(ToolError::new("the client did not answer in time")),
        }
    }

    /// Hands a response to whoever waits for it. A late one, a second one and one that nobody asked for are nobody's.
    pub(crate) fn resolve(&self, id: Id<'_>, outcome: Result<Json<'_>, Json<'_>>) {
        let number = id.as_json().strip_prefix("\"ask-").and_then(|rest| rest.strip_suffix('"')?.parse().ok());
        let Some(sender) = number.and_then(|number| self.lock().requests.remove(&number)) else { return };
        let response = match outcome {
            Ok(result) => result.decode().map_err(|error| error.to_string()),
            Err(error) => Err(message_of(error)),
        };
        let _ = sender.send(response);
    }

    /// Ends everything that waits, and everything that would.
    pub(crate) fn close(&self) {
        let mut waiting = self.lock();
        waiting.closed = true;
        waiting.requests.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request's place in the table.
struct Entry<'a> {
    asks: &'a Asks,
    number: u64,
    /// Where the request went, once it has gone.
    outlet: Option<&'a Arc<dyn Outlet>>,
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        let unanswered = self.asks.lock().requests.remove(&self.number).is_some();
        if let Some(outlet) = self.outlet.filter(|_| unanswered) {
            // Nobody waits any more: the client may take its dialogue away.
            outlet.send(revision::cancelled(&format!("ask-{}", self.number)));
        }
    }
}

/// The text of a JSON-RPC error, not longer than a reader wants it.
fn message_of(error: Json<'_>) -> String {
    let error: Value = error.decode().unwrap_or_default();
    let text = error.get("message").and_then(Value::as_str).unwrap_or("no reason given");
    text.chars().take(256).collect()
}

#[cfg(all(test, shuttle))]
mod schedules;
