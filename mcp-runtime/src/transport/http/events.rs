//! A response that is a stream of events.
//!
//! Source: the HTML standard, section 9.2 (server-sent events).

use super::call::Call;
use super::event_id::EventId;
use super::queue::{Queue, Queued, Reader};
use super::session::Visit;
use crate::session::{Outlet, Subscription};
use bytes::Bytes;
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Interval, MissedTickBehavior, Sleep, interval_at, sleep_until};

/// A stream that is quiet for so long says that it is alive, lest somebody on the way cut it.
pub(super) const QUIET: Duration = Duration::from_secs(15);
/// How long a client waits until it comes back to a stream that was closed.
const RETRY: Duration = Duration::from_secs(1);

pub(super) const COMMENT: &[u8] = b": alive\n\n";
const BEFORE: &[u8] = b"event: message\n";
const DATA: &[u8] = b"data: ";
const BEHIND: &[u8] = b"\n\n";

/// The stream of one call, or the standing stream of a session.
pub(in crate::transport) struct Events {
    queue: Arc<Queue>,
    reader: Reader,
    end: End,
    /// Comes before everything else: at once if `greets`, together with the first messages if they are there already
    /// otherwise.
    opening: Vec<u8>,
    greets: bool,
    beat: Interval,
    /// When nobody may read any more.
    until: Option<Pin<Box<Sleep>>>,
    /// The changes that the session is to be told of; they are fetched when there is somebody who reads them.
    news: Option<Arc<Subscription>>,
    /// Keeps the session busy as long as the stream lives.
    _held: Option<Box<dyn Send>>,
}

/// What ends the stream.
enum End {
    /// A call that is under way.
    Call(Call),
    /// The answer, which has come; `None` if the call was cancelled.
    Answer(Option<Vec<u8>>),
    /// The end of the queue, or its next reader.
    Queue,
    Over,
}

impl Events {
    /// The notifications of a stateless call, then its answer.
    pub(super) fn of_call(queue: Arc<Queue>, call: Call) -> Self {
        Events::new(queue, Reader::default(), End::Call(call))
    }

    /// The messages of a call in a session, whose answer will come through the queue.
    pub(super) fn of_stream(queue: Arc<Queue>, visit: Visit) -> Self {
        let opening = priming(&queue, &visit);
        let events = Events::new(queue, Reader::default(), End::Queue);
        Events { opening, _held: Some(Box::new(visit)), ..events }
    }

    /// The messages of a session that belong to no call. An earlier stream of the session ends: its client has most likely
    /// lost the connection without the server's knowledge.
    pub(super) fn of_session(visit: Visit) -> Self {
        let queue = Arc::clone(visit.queue());
        // Something is sent at once, so that nobody on the way waits for the first event.
        let opening = [COMMENT, &priming(&queue, &visit)].concat();
        let reader = queue.claim();
        Events::standing(queue, reader, opening, visit)
    }

    /// What a client missed of a stream, and how it goes on.
    pub(super) fn resumed(queue: Arc<Queue>, reader: Reader, missed: VecDeque<Queued>, visit: Visit) -> Self {
        let opening = [COMMENT, &whole(&queue, missed, None)].concat();
        if Arc::ptr_eq(&queue, visit.queue()) {
            return Events::standing(queue, reader, opening, visit);
        }
        let events = Events::new(queue, reader, End::Queue);
        Events { opening, greets: true, _held: Some(Box::new(visit)), ..events }
    }

    /// What a client missed of a stream that is over.
    pub(super) fn rest(id: EventId, missed: VecDeque<Queued>) -> Self {
        let mut opening = COMMENT.to_vec();
        for queued in missed {
            event(&mut opening, Some(EventId { position: queued.position, ..id }), &queued.message);
        }
        let queue = Arc::new(Queue::default());
        queue.close();
        let events = Events::new(queue, Reader::default(), End::Queue);
        Events { opening, greets: true, ..events }
    }

    /// The standing stream of a session, behind an opening.
    fn standing(queue: Arc<Queue>, reader: Reader, opening: Vec<u8>, visit: Visit) -> Self {
        let news = Some(Arc::clone(&visit.session().peer().news));
        let events = Events::new(queue, reader, End::Queue);
        Events { opening, greets: true, news, _held: Some(Box::new(visit)), ..events }
    }

    /// The standing stream of a session that ends with it. What is held is dropped with the stream.
    #[cfg(feature = "sse")]
    pub(in crate::transport) fn of_connection(opening: Vec<u8>, visit: Visit, held: impl Send + 'static) -> Self {
        let queue = Arc::clone(visit.queue());
        let reader = queue.claim();
        Events { _held: Some(Box::new(held)), ..Events::standing(queue, reader, opening, visit) }
    }

    fn new(queue: Arc<Queue>, reader: Reader, end: End) -> Self {
        Events {
            queue,
            reader,
            end,
            opening: Vec::new(),
            greets: false,
            beat: beat(),
            until: None,
            news: None,
            _held: None,
        }
    }

    /// Lets the stream end at a moment, for a client that may not read any longer. Another stream can go on where it ends.
    pub(in crate::transport) fn until(self, moment: Option<Instant>) -> Self {
        Events { until: alarm(moment), ..self }
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
        if rings(&mut self.until, cx) {
            self.end = End::Over;
            return Poll::Ready(None);
        }
        if std::mem::take(&mut self.greets) {
            return Poll::Ready(self.opening());
        }
        if let End::Call(call) = &mut self.end
            && let Poll::Ready(answer) = Pin::new(call).poll(cx)
        {
            self.end = End::Answer(answer.map(|answer| answer.body));
        }
        // What was sent before the answer goes before it, so the queue is looked at second.
        let mut waiting = self.queue.poll(self.reader, cx);
        if waiting.is_pending()
            && let Some(news) = &self.news
            && let Poll::Ready(messages) = news.poll(cx)
        {
            // Through the queue, where a client can come back for them.
            messages.into_iter().for_each(|message| _ = self.queue.send(message));
            waiting = self.queue.poll(self.reader, cx);
        }
        match (&mut self.end, waiting) {
            (End::Answer(answer), waiting) => {
                let messages = match waiting {
                    Poll::Ready(messages) => messages.unwrap_or_default(),
                    Poll::Pending => VecDeque::new(),
                };
                let piece = whole(&self.queue, messages, answer.take());
                self.end = End::Over;
                Poll::Ready(Some(piece).filter(|piece| !piece.is_empty()).map(Bytes::from))
            }
            (_, Poll::Ready(Some(messages))) => {
                self.beat.reset();
                let mut piece = std::mem::take(&mut self.opening);
                piece.extend_from_slice(&whole(&self.queue, messages, None));
                Poll::Ready(Some(piece.into()))
            }
            (End::Queue, Poll::Ready(None)) => {
                self.end = End::Over;
                Poll::Ready(self.opening())
            }
            _ if !self.opening.is_empty() => Poll::Ready(self.opening()),
            _ => self.beat.poll_tick(cx).map(|_| Some(Bytes::from_static(COMMENT))),
        }
    }

    fn opening(&mut self) -> Option<Bytes> {
        let opening = std::mem::take(&mut self.opening);
        (!opening.is_empty()).then(|| opening.into())
    }
}

/// The empty event whose id a client comes back with that has seen no other, for clients that know such events; others would
/// take it for a broken message.
fn priming(queue: &Queue, visit: &Visit) -> Vec<u8> {
    let mut out = String::new();
    if let Some(id) = queue.id(queue.begin()).filter(|_| visit.session().polls()) {
        // Writing to a text cannot fail.
        let _ = write!(out, "id: {id}\nretry: {}\ndata: \n\n", RETRY.as_millis());
    }
    out.into_bytes()
}

/// Ticks when a stream should say that it is alive.
pub(super) fn beat() -> Interval {
    let mut beat = interval_at(Instant::now() + QUIET, QUIET);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    beat
}

/// Rings at that moment.
pub(super) fn alarm(moment: Option<Instant>) -> Option<Pin<Box<Sleep>>> {
    moment.map(|moment| Box::pin(sleep_until(moment)))
}

/// Does it ring? If not, the task is woken when it does.
pub(super) fn rings(alarm: &mut Option<Pin<Box<Sleep>>>, cx: &mut Context<'_>) -> bool {
    alarm.as_mut().is_some_and(|alarm| alarm.as_mut().poll(cx).is_ready())
}

/// The events of these messages, for which nobody can come back.
pub(super) fn plain(messages: Vec<Vec<u8>>) -> Bytes {
    let mut out = Vec::new();
    messages.into_iter().for_each(|message| event(&mut out, None, &message));
    out.into()
}

/// The events of these messages, and of an answer behind them.
pub(super) fn whole(queue: &Queue, messages: VecDeque<Queued>, answer: Option<Vec<u8>>) -> Vec<u8> {
    let frame = BEFORE.len() + DATA.len() + BEHIND.len() + 64;
    let sizes = messages.iter().map(|queued| queued.message.len()).chain(answer.iter().map(Vec::len));
    let mut out = Vec::with_capacity(sizes.map(|size| size + frame).sum());
    for queued in messages {
        event(&mut out, queue.id(queued.position), &queued.message);
    }
    if let Some(answer) = answer {
        event(&mut out, None, &answer);
    }
    out
}

fn event(out: &mut Vec<u8>, id: Option<EventId>, message: &[u8]) {
    out.extend_from_slice(BEFORE);
    if let Some(id) = id {
        out.extend_from_slice(format!("id: {id}\n").as_bytes());
    }
    out.extend_from_slice(DATA);
    out.extend_from_slice(message);
    out.extend_from_slice(BEHIND);
}
