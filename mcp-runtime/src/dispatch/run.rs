//! Runs a function: contains its panics, polls its future once on the spot, makes it cancellable from then on, and ends it
//! when it asks the client something that only another round can answer.

use super::{Answer, Asked, Core, Reaction, Standing, TAKEN};
use crate::ToolError;
use crate::ask::Rounds;
use crate::client_logs;
use crate::contain::contain;
use crate::handler::{BoxFuture, Outcome};
use crate::reply::Unreached;
use crate::session::{NotEntered, Scope, Ticket};
use crate::wire::{Id, OwnedId, RpcError};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What a request is about, for the state that it may leave with its client.
pub(super) struct Subject<'a> {
    pub(super) method: &'static str,
    pub(super) name: &'a str,
    /// Whose failure it is, for the log.
    pub(super) function: &'static str,
    /// How long the function may take.
    pub(super) timeout: Option<Duration>,
}

/// Calls a function; a panic becomes a reply.
pub(super) fn guarded<R: Unreached + 'static>(scope: &Scope<'_>, call: impl FnOnce() -> Outcome<R>) -> Outcome<R> {
    let call = || client_logs::within(scope.logged(), call);
    // A function that panics loses its own values; the framework's are whole, since none is changed inside.
    contain(call).unwrap_or_else(|panic| Outcome::Ready(R::failed(ToolError::panicked(panic))))
}

/// A future whose panic becomes a reply.
struct Guarded<R> {
    /// None when it is being dropped.
    future: Option<BoxFuture<R>>,
    /// Where the function's `tracing` events go.
    logged: Option<crate::Context>,
}

impl<R: Unreached> Future for Guarded<R> {
    type Output = R;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<R> {
        let this = &mut *self;
        let Some(future) = &mut this.future else { return Poll::Pending };
        let poll = || client_logs::within(this.logged.as_ref(), || future.as_mut().poll(cx));
        contain(poll).unwrap_or_else(|panic| Poll::Ready(R::failed(ToolError::panicked(panic))))
    }
}

impl<R> Drop for Guarded<R> {
    /// What a function holds goes with it, and what it does then is its own affair, too.
    fn drop(&mut self) {
        let future = self.future.take();
        let _ = contain(|| drop(future));
    }
}

/// How far a function got.
enum Ended<R> {
    Replied(R),
    /// It asks the client, and the client will call again.
    Asks,
    /// It has been given up.
    TooLate,
}

/// From a function's outcome to the reaction; `finish` writes the response.
///
/// A reply that is there at once costs neither a task nor an entry in a table.
pub(super) fn react<R, F>(
    core: &Arc<Core>,
    outcome: Outcome<R>,
    asked: &Asked<'_>,
    subject: &Subject<'_>,
    scope: &Scope<'_>,
    finish: F,
) -> Reaction
where
    R: Unreached + Send + 'static,
    F: FnOnce(&Core, Id<'_>, R) -> Answer + Send + 'static,
{
    let function = subject.function;
    let future = match outcome {
        Outcome::Ready(reply) => {
            drop(scope.until_end());
            return Reaction::Answer(contained(function, asked.id, |id| finish(core, id, reply)));
        }
        Outcome::Pending(future) => future,
    };
    let until_end = scope.until_end();
    let mut future = Guarded { future: Some(future), logged: scope.logged().cloned() };
    let mut at_once = Context::from_waker(Waker::noop());
    // Many async functions never wait: those are answered here. The real waker comes with the next poll.
    if let Poll::Ready(reply) = Pin::new(&mut future).poll(&mut at_once) {
        drop(until_end);
        return Reaction::Answer(contained(function, asked.id, |id| finish(core, id, reply)));
    }
    let rounds = scope.rounds();
    // Arguments that no state can be bound to are a fault only of a call that asks.
    let rounds = rounds.map(|rounds| (rounds, asked.binding(core, subject)));
    if let Some((rounds, binding)) = rounds.as_ref().filter(|(rounds, _)| rounds.poll_asked(&mut at_once).is_ready()) {
        return Reaction::Answer(core.ask_client(asked.id, asked.revision, rounds, binding));
    }
    let token = scope.cancellation();
    let is_entered = asked.layered.is_some();
    let place = if is_entered { None } else { core.calls.enter() };
    if place.is_none() && !is_entered {
        return asked.crowded();
    }
    let (peer, most) = (asked.carrier.peer.filter(|_| !is_entered), core.bounds.calls_per_peer);
    let ticket = match peer.map(|peer| peer.in_flight.enter(asked.id, token.clone(), most)).transpose() {
        Ok(ticket) => ticket,
        Err(NotEntered::Taken) => return asked.reject(&RpcError::invalid_request(TAKEN)),
        Err(NotEntered::Full) => return asked.crowded(),
    };
    let (core, id, revision) = (Arc::clone(core), OwnedId::from(asked.id), asked.revision);
    let timeout = subject.timeout;
    Reaction::Later(Box::pin(async move {
        let asking = rounds.as_ref().map(|(rounds, _)| &**rounds);
        let ended = ended(future, asking, token, timeout, ticket).await;
        drop((until_end, place));
        match (ended?, &rounds) {
            (Ended::Replied(reply), _) => Some(contained(function, id.borrow(), |id| finish(&core, id, reply))),
            (Ended::Asks, Some((rounds, binding))) => {
                Some(contained(function, id.borrow(), |id| core.ask_client(id, revision, rounds, binding)))
            }
            (Ended::Asks, None) => None,
            (Ended::TooLate, _) => {
                let late = R::failed(too_late(timeout));
                Some(contained(function, id.borrow(), |id| finish(&core, id, late)))
            }
        }
    }))
}

/// Waits for the function; `None` if the call is cancelled before.
async fn ended<R: Unreached>(
    future: Guarded<R>,
    rounds: Option<&Rounds>,
    token: CancellationToken,
    timeout: Option<Duration>,
    ticket: Option<Ticket>,
) -> Option<Ended<R>> {
    // Whoever drops this future has given the call up: work beside the function learns of that through the token.
    let guard = token.clone().drop_guard();
    let asked = async {
        match rounds {
            Some(rounds) => rounds.asked().await,
            None => std::future::pending().await,
        }
    };
    let end = tokio::select! {
        biased;
        () = token.cancelled() => return None,
        reply = future => Ended::Replied(reply),
        () = asked => Ended::Asks,
        () = elapsed(timeout) => Ended::TooLate,
    };
    if matches!(end, Ended::Replied(_)) {
        guard.disarm();
    }
    // The place is given up before the answer goes out: a cancellation from now on comes too late.
    ticket.is_none_or(|ticket| ticket.leave()).then_some(end)
}

/// Writes an answer; if that panics (in an author's `Display`, say), the answer says so.
fn contained<'i>(function: &str, id: Id<'i>, write: impl FnOnce(Id<'i>) -> Answer) -> Answer {
    contain(|| write(id)).unwrap_or_else(|panic| {
        let error = ToolError::panicked(panic).into_response(function);
        Answer::error(Some(id), &error, Standing::Dispatched)
    })
}

async fn elapsed(timeout: Option<Duration>) {
    match timeout {
        Some(timeout) => tokio::time::sleep(timeout).await,
        None => std::future::pending().await,
    }
}

fn too_late(timeout: Option<Duration>) -> ToolError {
    ToolError::new(format!("The function did not finish within {:?}.", timeout.unwrap_or_default()))
}
