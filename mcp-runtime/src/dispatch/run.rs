//! Runs a function: contains its panics, polls its future once on the spot, makes it cancellable from then on, and ends it
//! when it asks the client something that only another round can answer.

use super::{Answer, Asked, Core, Reaction};
use crate::ask::{Binding, Rounds};
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

/// What a request is about, for the state that it may leave with its client.
pub(super) struct Subject<'a> {
    pub(super) method: &'static str,
    pub(super) name: &'a str,
}

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

/// How far a function got.
enum Ended<R> {
    Replied(R),
    /// It asks the client, and the client will call again.
    Asks,
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
    let future = match outcome {
        Outcome::Ready(reply) => return Reaction::Answer(finish(core, asked.id, reply)),
        Outcome::Pending(future) => future,
    };
    let mut future = Guarded(future);
    let mut at_once = Context::from_waker(Waker::noop());
    // Many async functions never wait: those are answered here. The real waker comes with the next poll.
    if let Poll::Ready(reply) = Pin::new(&mut future).poll(&mut at_once) {
        return Reaction::Answer(finish(core, asked.id, reply));
    }
    let rounds = scope.rounds();
    let binding = || Binding::new(subject.method, subject.name, asked.params.arguments, None);
    if let Some(rounds) = rounds.as_ref().filter(|rounds| rounds.poll_asked(&mut at_once).is_ready()) {
        return Reaction::Answer(core.ask_client(asked.id, asked.revision, rounds, &binding()));
    }
    let rounds = rounds.map(|rounds| (rounds, binding()));
    let token = scope.cancellation();
    let ticket = asked.carrier.peer.map(|peer| peer.in_flight.enter(asked.id, token.clone()));
    let (core, id, revision) = (Arc::clone(core), OwnedId::from(asked.id), asked.revision);
    Reaction::Later(Box::pin(async move {
        let asking = rounds.as_ref().map(|(rounds, _)| &**rounds);
        match (ended(future, asking, token, ticket).await?, &rounds) {
            (Ended::Replied(reply), _) => Some(finish(&core, id.borrow(), reply)),
            (Ended::Asks, Some((rounds, binding))) => Some(core.ask_client(id.borrow(), revision, rounds, binding)),
            (Ended::Asks, None) => None,
        }
    }))
}

/// Waits for the function; `None` if the call is cancelled before.
async fn ended<R: Unreached>(
    future: Guarded<R>,
    rounds: Option<&Rounds>,
    token: CancellationToken,
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
    };
    if matches!(end, Ended::Replied(_)) {
        guard.disarm();
    }
    // The place is given up before the answer goes out: a cancellation from now on comes too late.
    ticket.is_none_or(Ticket::leave).then_some(end)
}
