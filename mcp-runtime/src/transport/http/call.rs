//! A call whose answer is not there at once.

use super::events::{Events, QUIET};
use super::negotiate::Accept;
use super::queue::Queue;
use super::reply::{self, HttpBody, Statuses};
use crate::dispatch::{Answer, Reaction};
use crate::handler::BoxFuture;
use crate::session::{Outlet, Silent};
use http::Response;
use std::cell::OnceCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use tokio::time::sleep;

/// The answer to come; `None` if the call is cancelled.
pub(super) type Call = BoxFuture<Option<Answer>>;

/// Where the notifications of one request go. There is a queue only if something asks for one.
pub(super) struct CallOutlet {
    accept: Accept,
    queue: OnceCell<Arc<Queue>>,
}

impl CallOutlet {
    pub(super) fn new(accept: Accept) -> Self {
        CallOutlet { accept, queue: OnceCell::new() }
    }

    /// The outlet, the same one every time. A client that reads no events gets no notifications.
    pub(super) fn get(&self) -> Arc<dyn Outlet> {
        if !self.accept.events {
            return Arc::new(Silent);
        }
        let queue: &Arc<Queue> = self.queue.get_or_init(Arc::default);
        Arc::<Queue>::clone(queue)
    }

    /// What comes of the reaction to the request.
    pub(super) fn conclude(self, reaction: Reaction, statuses: Statuses) -> Started {
        let (accept, queue) = (self.accept, self.queue.into_inner());
        match reaction {
            Reaction::Silence | Reaction::Listen(_) => Started::Answered(reply::accepted()),
            Reaction::Answer(answer) => {
                Started::Answered(reply::answer(Some(answer), queue.as_deref(), accept, statuses))
            }
            Reaction::Later(call) => Started::Waiting(Waiting { call, queue, accept, statuses }),
        }
    }
}

/// How far a request got without waiting.
pub(super) enum Started {
    Answered(Response<HttpBody>),
    Waiting(Waiting),
}

/// A call that is under way.
pub(super) struct Waiting {
    call: Call,
    queue: Option<Arc<Queue>>,
    accept: Accept,
    statuses: Statuses,
}

impl Started {
    /// The response, as soon as it is known what it will be.
    pub(super) async fn finish(self) -> Response<HttpBody> {
        match self {
            Started::Answered(response) => response,
            Started::Waiting(waiting) => waiting.finish().await,
        }
    }
}

impl Waiting {
    async fn finish(mut self) -> Response<HttpBody> {
        if !self.accept.events {
            return reply::answer(self.call.await, None, self.accept, self.statuses);
        }
        match self.first().await {
            Some(answer) => reply::answer(answer, self.queue.as_deref(), self.accept, self.statuses),
            None => reply::stream(Events::of_call(self.queue.unwrap_or_default(), self.call)),
        }
    }

    /// The answer, unless a notification comes first. An answer that is long in coming is not waited for either: a stream
    /// can say in the meantime that it is alive.
    async fn first(&mut self) -> Option<Option<Answer>> {
        let mut patience = pin!(sleep(QUIET));
        poll_fn(|cx| {
            if let Poll::Ready(answer) = self.call.as_mut().poll(cx) {
                return Poll::Ready(Some(answer));
            }
            if let Some(queue) = &self.queue
                && queue.poll_filled(cx).is_ready()
            {
                return Poll::Ready(None);
            }
            patience.as_mut().poll(cx).map(|()| None)
        })
        .await
    }
}
