//! Runs a function: contains its panics, polls its future once on the spot, and makes it cancellable from then on.

use super::{Answer, Carrier, Core, Reaction};
use crate::handler::{BoxFuture, Outcome};
use crate::reply::Unreached;
use crate::session::{Scope, Ticket};
use crate::wire::{Id, OwnedId};
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use tokio_util::sync::CancellationToken;

/// Calls a function; a panic becomes a reply.
pub(super) fn guarded<R: Unreached + 'static>(call: impl FnOnce() -> Outcome<R>) -> Outcome<R> {
    // A function that panics loses its own values; the framework's are whole, since none is changed inside.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| Outcome::Ready(R::panicked()))
}

/// A future whose panic becomes a reply.
struct Guarded<R>(BoxFuture<R>);

impl<R: Unreached> Future for Guarded<R> {
    type Output = R;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<R> {
        let future = self.0.as_mut();
        catch_unwind(AssertUnwindSafe(|| future.poll(cx))).unwrap_or_else(|_| Poll::Ready(R::panicked()))
    }
}

/// From a function's outcome to the reaction; `finish` writes the response.
///
/// A reply that is there at once costs neither a task nor an entry in a table.
pub(super) fn react<R, F>(
    core: &Arc<Core>,
    outcome: Outcome<R>,
    id: Id<'_>,
    scope: &Scope<'_>,
    carrier: &Carrier<'_>,
    finish: F,
) -> Reaction
where
    R: Unreached + Send + 'static,
    F: FnOnce(&Core, Id<'_>, R) -> Answer + Send + 'static,
{
    let future = match outcome {
        Outcome::Ready(reply) => return Reaction::Answer(finish(core, id, reply)),
        Outcome::Pending(future) => future,
    };
    let mut future = Guarded(future);
    // Many async functions never wait: those are answered here. The real waker comes with the next poll.
    if let Poll::Ready(reply) = Pin::new(&mut future).poll(&mut Context::from_waker(Waker::noop())) {
        return Reaction::Answer(finish(core, id, reply));
    }
    let token = scope.cancellation();
    let ticket = carrier.peer.map(|peer| peer.in_flight.enter(id, token.clone()));
    let (core, id) = (Arc::clone(core), OwnedId::from(id));
    Reaction::Later(Box::pin(async move {
        let reply = finished(future, token, ticket).await?;
        Some(finish(&core, id.borrow(), reply))
    }))
}

/// Waits for the function; `None` if the call is cancelled before.
async fn finished<R: Unreached>(future: Guarded<R>, token: CancellationToken, ticket: Option<Ticket>) -> Option<R> {
    // Whoever drops this future has given the call up: work beside the function learns of that through the token.
    let guard = token.clone().drop_guard();
    let reply = tokio::select! {
        biased;
        () = token.cancelled() => return None,
        reply = future => reply,
    };
    guard.disarm();
    // The place is given up before the answer goes out: a cancellation from now on comes too late.
    ticket.is_none_or(Ticket::leave).then_some(reply)
}
