//! A call whose answer is not there at once.

use super::events::{Events, QUIET};
use super::negotiate::Accept;
use super::queue::Queue;
use super::reply::{self, HttpBody, Statuses};
use super::session::Visit;
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
use tokio_util::task::TaskTracker;

/// The answer to come; `None` if the call is cancelled.
pub(super) type Call = BoxFuture<Option<Answer>>;

/// Where the notifications of one request go. There is a queue only if something asks for one.
pub(super) struct CallOutlet<'a> {
    accept: Accept,
    /// The session that the request belongs to.
    visit: Option<&'a Visit>,
    queue: OnceCell<Arc<Queue>>,
}

impl<'a> CallOutlet<'a> {
    pub(super) fn new(accept: Accept, visit: Option<&'a Visit>) -> Self {
        CallOutlet { accept, visit, queue: OnceCell::new() }
    }

    /// The outlet, the same one every time. A client that reads no events gets no notifications.
    pub(super) fn get(&self) -> Arc<dyn Outlet> {
        if !self.accept.events {
            return Arc::new(Silent);
        }
        let new = || self.visit.map_or_else(Arc::default, Visit::open_stream);
        let queue: &Arc<Queue> = self.queue.get_or_init(new);
        Arc::<Queue>::clone(queue)
    }

    pub(super) fn into_queue(self) -> Option<Arc<Queue>> {
        self.queue.into_inner()
    }
}

/// The session in which a call runs.
pub(super) struct Host {
    pub(super) visit: Visit,
    pub(super) tasks: TaskTracker,
}

impl Host {
    /// The stream of a call. It goes on when nobody reads it, so that the client can come back to it.
    fn stream(self, queue: Option<Arc<Queue>>, call: Call) -> Events {
        let Host { visit, tasks } = self;
        let queue = queue.unwrap_or_else(|| visit.open_stream());
        visit.enter_stream(&queue);
        let events = Events::of_stream(Arc::clone(&queue), visit.again());
        tasks.spawn(async move {
            queue.finish(call.await.map(|answer| answer.body));
            visit.release_stream(&queue);
        });
        events
    }
}

/// How far a request got without waiting.
pub(super) enum Started {
    Answered(Response<HttpBody>),
    Waiting(Box<Waiting>),
}

/// A call that is under way.
pub(super) struct Waiting {
    call: Call,
    queue: Option<Arc<Queue>>,
    host: Option<Host>,
    accept: Accept,
    statuses: Statuses,
}

impl Started {
    /// What comes of the reaction to a request.
    pub(super) fn of(
        reaction: Reaction,
        queue: Option<Arc<Queue>>,
        host: Option<Host>,
        accept: Accept,
        statuses: Statuses,
    ) -> Self {
        match reaction {
            Reaction::Silence | Reaction::Listen(_) => Started::Answered(reply::accepted()),
            Reaction::Answer(answer) => {
                let visit = host.map(|host| host.visit);
                Started::Answered(reply::answer(Some(answer), queue, visit, accept, statuses))
            }
            Reaction::Later(call) => Started::Waiting(Box::new(Waiting { call, queue, host, accept, statuses })),
        }
    }

    /// The response, as soon as it is known what it will be.
    pub(super) async fn finish(self) -> Response<HttpBody> {
        match self {
            Started::Answered(response) => response,
            Started::Waiting(waiting) => waiting.finish().await,
        }
    }
}

/// A call of a session whose stream has not begun. If its client goes now it can never come back for it: what is sent, and
/// above all what is asked, must fail at once.
struct Unread(Option<Arc<Queue>>);

impl Unread {
    /// The stream begins.
    fn begin(mut self) {
        self.0 = None;
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        if let Some(queue) = &self.0 {
            queue.close();
        }
    }
}

impl Waiting {
    async fn finish(mut self) -> Response<HttpBody> {
        if !self.accept.events {
            return reply::answer(self.call.await, None, None, self.accept, self.statuses);
        }
        let unread = Unread(self.queue.clone().filter(|_| self.host.is_some()));
        let first = self.first().await;
        unread.begin();
        let Waiting { call, queue, host, accept, statuses } = self;
        match (first, host) {
            (Some(answer), host) => reply::answer(answer, queue, host.map(|host| host.visit), accept, statuses),
            (None, Some(host)) => reply::stream(host.stream(queue, call)),
            (None, None) => reply::stream(Events::of_call(queue.unwrap_or_default(), call)),
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
