//! Connections whose other side may take its time, but not for ever.
//!
//! Nobody is waited for who neither sends a request nor has one under way, who does not come to the end of a head, or who
//! takes nothing of what is written. Everything that is measured here is measured only while there is nothing else to do:
//! a request that comes whole, and an answer that goes out at once, cost a look at two counters.

use bytes::Bytes;
use http::Version;
use http_body::{Body, Frame, SizeHint};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
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

/// The requests of one connection.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    /// How many there have been.
    heads: AtomicUsize,
    /// How many of them have not been answered to the end.
    under_way: AtomicUsize,
    /// Not everything that comes is part of a request.
    is_framed: AtomicBool,
}

/// A request that has not been answered to the end.
#[derive(Debug)]
pub(super) struct UnderWay(Arc<Traffic>);

impl Traffic {
    /// The head of a request is there.
    pub(super) fn begin(self: &Arc<Self>, version: Version) -> UnderWay {
        self.is_framed.store(version > Version::HTTP_11, Ordering::Relaxed);
        self.heads.fetch_add(1, Ordering::Relaxed);
        self.under_way.fetch_add(1, Ordering::Relaxed);
        UnderWay(Arc::clone(self))
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The body of an answer, with which its request ends.
#[derive(Debug)]
pub(super) struct Answering<B> {
    body: B,
    _request: UnderWay,
}

impl<B> Answering<B> {
    pub(super) fn new(body: B, request: UnderWay) -> Self {
        Answering { body, _request: request }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Answering<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection.
pub(super) struct Patient<S> {
    stream: S,
    timeouts: Timeouts,
    traffic: Arc<Traffic>,
    /// How many heads had come when something was read the last time.
    heads: usize,
    /// A head has begun.
    begun: bool,
    /// What is waited for, and until when: a head that has begun, or any.
    awaited: Option<(bool, Instant)>,
    /// Rings not later than then.
    alarm: Option<Pin<Box<Sleep>>>,
    /// Rings when nothing has been taken for too long.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    pub(super) fn new(stream: S, timeouts: Timeouts, traffic: Arc<Traffic>) -> Self {
        Patient { stream, timeouts, traffic, heads: 0, begun: false, awaited: None, alarm: None, stalled: None }
    }

    /// There is nothing to read: has that been so for too long?
    fn poll_patience(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let heads = self.traffic.heads.load(Ordering::Relaxed);
        let is_busy = self.traffic.under_way.load(Ordering::Relaxed) > 0;
        if is_busy || heads != self.heads {
            // Whatever was read belonged to requests whose heads are there.
            (self.heads, self.begun, self.awaited) = (heads, false, None);
        }
        if is_busy {
            return Poll::Pending;
        }
        let until = match self.awaited {
            Some((begun, until)) if begun == self.begun => until,
            _ => {
                let is_head = heads == 0 || (self.begun && !self.traffic.is_framed.load(Ordering::Relaxed));
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
            if Instant::now() >= until {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            alarm.as_mut().reset(until);
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
                this.begun |= buffer.filled().len() > before;
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
