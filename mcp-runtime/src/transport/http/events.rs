//! A response that is a stream of events.
//!
//! Source: the HTML standard, section 9.2 (server-sent events).

use super::call::Call;
use super::queue::{Queue, Reader};
use super::sessions::Visit;
use crate::wire;
use bytes::Bytes;
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

/// A stream that is quiet for so long says that it is alive, lest somebody on the way cut it.
pub(super) const QUIET: Duration = Duration::from_secs(15);

pub(super) const COMMENT: &[u8] = b": alive\n\n";
const BEFORE: &[u8] = b"event: message\ndata: ";
const BEHIND: &[u8] = b"\n\n";

/// The stream of one call, or the standing stream of a session.
pub(super) struct Events {
    queue: Arc<Queue>,
    reader: Reader,
    end: End,
    /// Something to send at once, so that nobody on the way waits for the first event.
    greeting: bool,
    beat: Interval,
    /// The session, which it keeps busy, and whose news it fetches.
    visit: Option<Visit>,
}

/// What ends the stream.
enum End {
    /// A call that is under way.
    Call(Call),
    /// The answer, which has come; `None` if the call was cancelled.
    Answer(Option<Vec<u8>>),
    /// The end of the session, or the next stream of it.
    Session,
    Over,
}

impl Events {
    /// The notifications of a call, then its answer.
    pub(super) fn of_call(queue: Arc<Queue>, call: Call) -> Self {
        Events::new(queue, Reader::default(), End::Call(call), None)
    }

    /// The messages of a session that belong to no call. An earlier stream of the session ends: its client has most likely
    /// lost the connection without the server's knowledge.
    pub(super) fn of_session(visit: Visit) -> Self {
        let queue = Arc::clone(visit.queue());
        let reader = queue.claim();
        Events::new(queue, reader, End::Session, Some(visit))
    }

    fn new(queue: Arc<Queue>, reader: Reader, end: End, visit: Option<Visit>) -> Self {
        let greeting = matches!(end, End::Session);
        Events { queue, reader, end, greeting, beat: beat(), visit }
    }

    /// Has the last event been given out?
    pub(super) fn is_over(&self) -> bool {
        matches!(self.end, End::Over)
    }

    /// The next piece of the stream.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if self.is_over() {
            return Poll::Ready(None);
        }
        if std::mem::take(&mut self.greeting) {
            return Poll::Ready(Some(Bytes::from_static(COMMENT)));
        }
        if let End::Call(call) = &mut self.end
            && let Poll::Ready(answer) = Pin::new(call).poll(cx)
        {
            self.end = End::Answer(answer.map(|answer| answer.body));
        }
        // What was sent before the answer goes before it, so the queue is looked at second.
        let waiting = self.queue.poll(self.reader, cx);
        let waiting = match (waiting, &self.visit) {
            (Poll::Pending, Some(visit)) => visit.peer().news.poll(cx).map(|messages| Some(messages.into())),
            (waiting, _) => waiting,
        };
        match (&mut self.end, waiting) {
            (End::Answer(answer), waiting) => {
                let messages = match waiting {
                    Poll::Ready(messages) => messages.unwrap_or_default(),
                    Poll::Pending => VecDeque::new(),
                };
                let piece = whole(messages, answer.take());
                self.end = End::Over;
                Poll::Ready(Some(piece).filter(|piece| !piece.is_empty()))
            }
            (_, Poll::Ready(Some(messages))) => {
                self.beat.reset();
                Poll::Ready(Some(whole(messages, None)))
            }
            (End::Session, Poll::Ready(None)) => {
                self.end = End::Over;
                Poll::Ready(None)
            }
            _ => self.beat.poll_tick(cx).map(|_| Some(Bytes::from_static(COMMENT))),
        }
    }
}

/// Ticks when a stream should say that it is alive.
pub(super) fn beat() -> Interval {
    let mut beat = interval_at(Instant::now() + QUIET, QUIET);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    beat
}

/// The events of these messages, and of an answer behind them.
pub(super) fn whole(messages: VecDeque<Vec<u8>>, answer: Option<Vec<u8>>) -> Bytes {
    let frame = BEFORE.len() + BEHIND.len();
    let size = messages.iter().chain(&answer).map(|message| message.len() + frame).sum();
    let mut out = Vec::with_capacity(size);
    for mut message in messages.into_iter().chain(answer) {
        wire::single_line(&mut message);
        out.extend_from_slice(BEFORE);
        out.extend_from_slice(&message);
        out.extend_from_slice(BEHIND);
    }
    out.into()
}
