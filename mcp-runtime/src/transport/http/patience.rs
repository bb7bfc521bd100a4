//! Connections whose other side may take its time, but not for ever.
//!
//! Nobody is waited for who neither sends a request nor has one under way, who does not come to the end of a head, or who
//! takes nothing of what is written. Where nothing has begun the connection is ended in order, so that clients of HTTP/2 are told
//! which of their requests got in; otherwise it is cut off. Everything that is measured here is measured only while there is nothing else to do:
//! a request that comes whole, and an answer that goes out at once, cost a look at two counters.
//!
//! Over HTTP/1.1 an answer is handed over in one piece, and is on its way as long as the socket takes no more. Over HTTP/2 the
//! other side says of every stream by itself how much it takes, and the socket knows nothing of it: there an answer is handed
//! over in slices, each when the one before has been taken, and the slices that nobody takes are counted.

use bytes::Bytes;
use http::Version;
use http_body::{Body, Frame, SizeHint};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep, sleep_until};

/// How long one waits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timeouts {
    /// For the first request, and from the first byte of every other one, until its head is there.
    pub(super) head: Duration,
    /// For the next request.
    pub(super) idle: Duration,
    /// For the other side to take something of what is written.
    pub(super) write: Duration,
}

/// The size in bytes of what is handed over at a time over HTTP/2: as much as fits in one of its frames.
const SLICE: usize = 16 * 1024;
/// So many rounds at the least does a slice wait until its connection is cut off.
const ROUNDS: u32 = 2;
/// How long a connection that is ended in order may take for that.
const FAREWELL: Duration = Duration::from_secs(10);
/// How every connection over HTTP/2 begins.
const PREFACE: &[u8] = b"PRI *";

/// The requests of one connection.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    /// How many of their heads and of their bodies there have been.
    seen: AtomicUsize,
    /// How many of them have not been answered to the end.
    under_way: AtomicUsize,
    /// Not everything that comes is part of a request.
    is_framed: AtomicBool,
    /// There has been no request for too long.
    has_rested: AtomicBool,
    /// Time passes in rounds, so that slices can be counted without looking at a clock.
    round: AtomicUsize,
    /// How many slices have been handed over and not been taken, by the round in which that was.
    waiting: [AtomicUsize; ROUNDS as usize + 1],
}

/// A request that has not been answered to the end.
#[derive(Debug)]
pub(super) struct UnderWay(Arc<Traffic>);

impl Traffic {
    /// The head of a request is there.
    pub(super) fn begin(self: &Arc<Self>, version: Version) -> UnderWay {
        self.is_framed.store(version > Version::HTTP_11, Ordering::Relaxed);
        self.seen.fetch_add(1, Ordering::Relaxed);
        self.under_way.fetch_add(1, Ordering::Relaxed);
        UnderWay(Arc::clone(self))
    }

    /// Is the connection to be ended in order?
    pub(super) fn has_rested(&self) -> bool {
        self.has_rested.load(Ordering::Relaxed)
    }

    /// A slice is handed over: in this round.
    fn hand_over(&self) -> usize {
        let round = self.round.load(Ordering::Relaxed) % self.waiting.len();
        self.waiting[round].fetch_add(1, Ordering::Relaxed);
        round
    }

    /// A slice of that round has been taken.
    fn take(&self, round: usize) {
        self.waiting[round].fetch_sub(1, Ordering::Relaxed);
    }

    /// Begins the next round, unless a slice has been waiting for too many.
    fn next_round(&self) -> io::Result<()> {
        let next = self.round.load(Ordering::Relaxed).wrapping_add(1) % self.waiting.len();
        if self.waiting[next].load(Ordering::Relaxed) > 0 {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.round.store(next, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The body of a request.
#[derive(Debug)]
pub(super) struct Arriving<B> {
    body: B,
    traffic: Arc<Traffic>,
}

impl<B> Arriving<B> {
    pub(super) fn new(body: B, request: &UnderWay) -> Self {
        Arriving { body, traffic: Arc::clone(&request.0) }
    }
}

impl<B> Drop for Arriving<B> {
    /// A body may come after its answer: it is not to be taken for the beginning of a head.
    fn drop(&mut self) {
        self.traffic.seen.fetch_add(1, Ordering::Relaxed);
    }
}

impl<B: Body + Unpin> Body for Arriving<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer, with which its request ends.
#[derive(Debug)]
pub(super) struct Answering<B> {
    body: B,
    request: UnderWay,
    /// What of the body's piece has not been handed over.
    rest: Bytes,
    /// The round of the slice that has not been taken.
    waiting: Option<usize>,
}

impl<B> Answering<B> {
    pub(super) fn new(body: B, request: UnderWay) -> Self {
        Answering { body, request, rest: Bytes::new(), waiting: None }
    }

    /// Whoever asks for more, or will not, has taken what there was.
    fn taken(&mut self) {
        if let Some(round) = self.waiting.take() {
            self.request.0.take(round);
        }
    }
}

impl<B> Drop for Answering<B> {
    fn drop(&mut self) {
        self.taken();
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Answering<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let this = self.get_mut();
        if !this.request.0.is_framed.load(Ordering::Relaxed) {
            return Pin::new(&mut this.body).poll_frame(cx);
        }
        this.taken();
        let mut data = std::mem::take(&mut this.rest);
        if data.is_empty() {
            match ready!(Pin::new(&mut this.body).poll_frame(cx)).map(|frame| frame.map(Frame::into_data)) {
                Some(Ok(Ok(piece))) => data = piece,
                Some(Ok(Err(trailers))) => return Poll::Ready(Some(Ok(trailers))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        if data.len() > SLICE {
            this.rest = data.split_off(SLICE);
        }
        this.waiting = Some(this.request.0.hand_over());
        Poll::Ready(Some(Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, body) = (self.rest.len() as u64, self.body.size_hint());
        let mut whole = SizeHint::new();
        whole.set_lower(body.lower().saturating_add(rest));
        if let Some(upper) = body.upper() {
            whole.set_upper(upper.saturating_add(rest));
        }
        whole
    }
}

/// A connection.
pub(super) struct Patient<S> {
    stream: S,
    timeouts: Timeouts,
    traffic: Arc<Traffic>,
    /// Until when the first head is waited for.
    first: Instant,
    /// How many heads and bodies had come when something was read the last time.
    seen: usize,
    /// A head has begun.
    begun: bool,
    /// What is waited for, and until when: a head that has begun, or any.
    awaited: Option<(bool, Instant)>,
    /// It has been told to end.
    is_leaving: bool,
    /// Rings not later than then.
    alarm: Option<Pin<Box<Sleep>>>,
    /// Rings when a round is over.
    rounds: Option<Pin<Box<Sleep>>>,
    /// Rings when nothing has been taken for too long.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    /// A connection whose first head is waited for until `first`.
    pub(super) fn new(stream: S, timeouts: Timeouts, traffic: Arc<Traffic>, first: Instant) -> Self {
        Patient {
            stream,
            timeouts,
            traffic,
            first,
            seen: 0,
            begun: false,
            awaited: None,
            is_leaving: false,
            alarm: None,
            rounds: None,
            stalled: None,
        }
    }

    /// There is nothing to read: has that been so for too long?
    fn poll_patience(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let seen = self.traffic.seen.load(Ordering::Relaxed);
        let is_busy = self.traffic.under_way.load(Ordering::Relaxed) > 0;
        if is_busy || seen != self.seen {
            // Whatever was read belonged to requests whose heads are there.
            (self.seen, self.begun, self.awaited) = (seen, false, None);
        }
        if is_busy {
            return self.poll_rounds(cx);
        }
        if self.stalled.is_some() {
            // The answer before is still on its way: the rest after it begins when it has gone.
            self.awaited = None;
        }
        let is_head = self.begun && !self.traffic.is_framed.load(Ordering::Relaxed);
        let mut until = match self.awaited {
            _ if seen == 0 => self.first,
            Some((begun, until)) if begun == self.begun => until,
            _ => {
                let until = Instant::now() + if is_head { self.timeouts.head } else { self.timeouts.idle };
                self.awaited = Some((self.begun, until));
                until
            }
        };
        // An alarm that rings too early is cheaper than one that is set anew for every request.
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep_until(until)));
        if alarm.deadline() > until {
            alarm.as_mut().reset(until);
        }
        while alarm.as_mut().poll(cx).is_ready() {
            let now = Instant::now();
            if now >= until {
                if is_head || self.is_leaving {
                    return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                }
                until = now + FAREWELL;
                (self.is_leaving, self.first, self.awaited) = (true, until, Some((self.begun, until)));
                self.traffic.has_rested.store(true, Ordering::Relaxed);
            }
            alarm.as_mut().reset(until);
        }
        Poll::Pending
    }

    /// There are answers under way: has one been waiting for too long until its stream may go on?
    fn poll_rounds(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.traffic.is_framed.load(Ordering::Relaxed) {
            return Poll::Pending;
        }
        let length = (self.timeouts.write / ROUNDS).max(Duration::from_millis(1));
        let rounds = self.rounds.get_or_insert_with(|| Box::pin(sleep(length)));
        while rounds.as_mut().poll(cx).is_ready() {
            if let Err(error) = self.traffic.next_round() {
                return Poll::Ready(Err(error));
            }
            rounds.as_mut().reset(Instant::now() + length);
        }
        Poll::Pending
    }

    /// The outcome of an attempt to write, or of one that has been waited for too long.
    fn patiently<T>(&mut self, cx: &mut Context<'_>, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stalled = None;
            return polled;
        }
        let patience = self.timeouts.write;
        let alarm = self.stalled.get_or_insert_with(|| Box::pin(sleep(patience)));
        alarm.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        match Pin::new(&mut this.stream).poll_read(cx, buffer) {
            Poll::Pending => this.poll_patience(cx),
            read => {
                let bytes = &buffer.filled()[before..];
                if !this.begun && this.seen == 0 && bytes.starts_with(PREFACE) {
                    this.traffic.is_framed.store(true, Ordering::Relaxed);
                }
                this.begun |= !bytes.is_empty();
                read
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.patiently(cx, polled)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_write_vectored(cx, pieces);
        this.patiently(cx, polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_flush(cx);
        this.patiently(cx, polled)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.stream).poll_shutdown(cx);
        this.patiently(cx, polled)
    }
}
