//! A response that carries a subscription, until its client closes it, its token expires or the server ends.

use super::Shared;
use super::events::{self, COMMENT};
use super::negotiate::Accept;
use super::reply::{self, HttpBody, Refusal};
use crate::dispatch::Core;
use crate::session::Subscription;
use bytes::Bytes;
use http::{Response, StatusCode};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::time::{Instant, Interval, Sleep};
use tokio_util::sync::WaitForCancellationFutureOwned;

/// The stream. Dropping it is all that a client's cancellation takes.
pub(super) struct Listening {
    core: Arc<Core>,
    /// None when the last event has been given out.
    subscription: Option<Arc<Subscription>>,
    stopping: Pin<Box<WaitForCancellationFutureOwned>>,
    beat: Interval,
    /// When its client may not be told of anything any more.
    until: Option<Pin<Box<Sleep>>>,
}

/// The response, whose first event is there at once. Must be called inside of a runtime.
pub(super) fn start(
    shared: &Shared,
    accept: Accept,
    subscription: Arc<Subscription>,
    until: Option<Instant>,
) -> Response<HttpBody> {
    if !accept.events {
        let refusal = Refusal::new(StatusCode::NOT_ACCEPTABLE, "a subscription takes text/event-stream");
        return refusal.respond(subscription.end().0);
    }
    reply::listening(Listening {
        core: Arc::clone(&shared.core),
        subscription: Some(subscription),
        stopping: Box::pin(shared.stopping.clone().cancelled_owned()),
        beat: events::beat(),
        until: events::alarm(until),
    })
}

impl Listening {
    /// Has the last event been given out?
    pub(super) fn is_over(&self) -> bool {
        self.subscription.is_none()
    }

    /// The next piece of the stream.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let Some(subscription) = &self.subscription else { return Poll::Ready(None) };
        if self.stopping.as_mut().poll(cx).is_ready() || events::rings(&mut self.until, cx) {
            let rest = self.core.farewell(subscription);
            self.subscription = None;
            return Poll::Ready(Some(events::plain(rest)));
        }
        match subscription.poll(cx) {
            Poll::Ready(messages) => {
                self.beat.reset();
                Poll::Ready(Some(events::plain(messages)))
            }
            Poll::Pending => self.beat.poll_tick(cx).map(|_| Some(Bytes::from_static(COMMENT))),
        }
    }
}
