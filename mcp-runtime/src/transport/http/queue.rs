//! Messages on their way to one event stream.

use super::event_id::EventId;
use crate::client_logs;
use crate::meter;
use crate::session::{EventStore, KeptEvent, Outlet};
use crate::sync::{Mutex, MutexGuard};
use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll, Waker};

/// How many messages wait at most, and how large they may be together: the oldest notifications give way.
const MAX_MESSAGES: usize = 256;
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// A bounded queue with one reader at a time.
#[derive(Default)]
pub(in crate::transport) struct Queue {
    state: Mutex<State>,
    log: Option<Log>,
}

#[derive(Default)]
struct State {
    messages: VecDeque<Queued>,
    bytes: usize,
    /// The position of the last message that was sent; the first has 1.
    last: u64,
    reader: Reader,
    /// The server wants the connection to end.
    let_go: bool,
    closed: bool,
    waker: Option<Waker>,
}

/// What a message is to its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rank {
    /// It may give way to later ones.
    Usual,
    Essential,
    /// Nothing comes behind it.
    Last,
}

/// A message that waits.
pub(in crate::transport) struct Queued {
    pub(super) position: u64,
    pub(super) message: Vec<u8>,
    essential: bool,
    /// It counts as one that waits.
    _waiting: meter::Open,
}

impl Queued {
    pub(super) fn new(position: u64, message: Vec<u8>) -> Self {
        Queued { position, message, essential: true, _waiting: meter::Open::queued() }
    }
}

/// Where the messages of a stream are kept for a client that comes back for them.
pub(super) struct Log {
    pub(super) events: Arc<dyn EventStore>,
    pub(super) session: Arc<str>,
    /// Stands in for the session in the ids of its events.
    pub(super) tag: u64,
    pub(super) stream: u64,
    /// The client comes back when the server closes the connection.
    pub(super) polling: bool,
}

/// Who may read; a later claim ends an earlier one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(in crate::transport) struct Reader(u64);

impl Queue {
    /// A queue whose messages are kept.
    pub(super) fn logged(log: Log) -> Self {
        Queue { state: Mutex::default(), log: Some(log) }
    }

    pub(super) fn log(&self) -> Option<&Log> {
        self.log.as_ref()
    }

    /// The id of the event at that position, if a client can come back for what is behind it.
    pub(super) fn id(&self, position: u64) -> Option<EventId> {
        self.log.as_ref().map(|log| EventId { tag: log.tag, stream: log.stream, position })
    }

    /// Makes a new reader; the one before finds its end.
    pub(in crate::transport) fn claim(&self) -> Reader {
        let mut state = self.lock();
        let reader = state.replace_reader();
        wake(state);
        reader
    }

    /// Makes a new reader for a client that has everything up to `position`. Gives the position of the first message that
    /// the reader will see; what lies between the two is in the log. `None` if nothing of that position was ever sent.
    pub(super) fn resume(&self, position: u64) -> Option<(Reader, u64)> {
        let mut state = self.lock();
        if position > state.last {
            return None;
        }
        while state.messages.front().is_some_and(|queued| queued.position <= position) {
            state.take_first();
        }
        let reader = state.replace_reader();
        let first = state.first();
        wake(state);
        Some((reader, first))
    }

    /// The position before the first message that the next reader will see.
    pub(super) fn begin(&self) -> u64 {
        self.lock().first() - 1
    }

    /// Nothing more will come.
    pub(in crate::transport) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        wake(state);
    }

    /// The answer is the last message.
    pub(super) fn finish(&self, answer: Option<Vec<u8>>) {
        match answer {
            // At once: between the answer and the end nobody may put anything in.
            Some(answer) => {
                self.queue(answer, Rank::Last);
            }
            None => self.close(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().messages.is_empty()
    }

    /// Does so much wait that its reader must have stopped?
    #[cfg(feature = "sse")]
    pub(in crate::transport) fn is_full(&self) -> bool {
        let state = self.lock();
        state.messages.len() >= MAX_MESSAGES || state.bytes >= MAX_BYTES
    }

    /// Everything that waits.
    pub(super) fn take(&self) -> VecDeque<Queued> {
        self.lock().take()
    }

    /// Everything that waits, as soon as there is something; `None` when the reader's time is over.
    pub(super) fn poll(&self, reader: Reader, cx: &mut Context<'_>) -> Poll<Option<VecDeque<Queued>>> {
        let mut state = self.lock();
        if reader != state.reader {
            return Poll::Ready(None);
        }
        if !state.messages.is_empty() {
            return Poll::Ready(Some(state.take()));
        }
        if state.closed {
            return Poll::Ready(None);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Is there something that only a stream can tell? If not, the task is woken when there is.
    pub(super) fn poll_filled(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if !state.messages.is_empty() || state.let_go {
            return Poll::Ready(());
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    fn queue(&self, message: Vec<u8>, rank: Rank) -> bool {
        // The store of events is the author's, and what it logs must not come back here.
        client_logs::within(None, || self.queue_locked(message, rank))
    }

    fn queue_locked(&self, message: Vec<u8>, rank: Rank) -> bool {
        let essential = rank != Rank::Usual;
        let mut state = self.lock();
        if state.closed {
            return false;
        }
        state.last += 1;
        if let Some(log) = &self.log {
            let event = KeptEvent { stream: log.stream, position: state.last, essential, message: &message };
            // Under the lock, so that the log has the messages in the order in which they go out.
            log.events.append(&log.session, event);
        }
        if !state.make_room(message.len()) && !essential && !state.messages.is_empty() {
            dropped();
            return true;
        }
        state.bytes += message.len();
        let position = state.last;
        state.messages.push_back(Queued { position, message, essential, _waiting: meter::Open::queued() });
        state.closed = rank == Rank::Last;
        wake(state);
        true
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is whole after every statement.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn replace_reader(&mut self) -> Reader {
        self.reader = Reader(self.reader.0 + 1);
        self.let_go = false;
        self.reader
    }

    /// The position of the first message that waits, or will.
    fn first(&self) -> u64 {
        self.messages.front().map_or(self.last + 1, |queued| queued.position)
    }

    fn take(&mut self) -> VecDeque<Queued> {
        self.bytes = 0;
        std::mem::take(&mut self.messages)
    }

    fn take_first(&mut self) {
        if let Some(first) = self.messages.pop_front() {
            self.bytes -= first.message.len();
        }
    }

    /// Drops old notifications until there is room; false if there is none all the same.
    fn make_room(&mut self, size: usize) -> bool {
        while self.messages.len() >= MAX_MESSAGES || self.bytes + size > MAX_BYTES {
            let Some(index) = self.messages.iter().position(|queued| !queued.essential) else { return false };
            if let Some(oldest) = self.messages.remove(index) {
                self.bytes -= oldest.message.len();
                dropped();
            }
        }
        true
    }
}

fn dropped() {
    meter::dropped();
    tracing::debug!("a client does not keep up: a notification was dropped");
}

/// Wakes the reader, after the lock is given back: what a waker does is its own affair.
fn wake(mut state: MutexGuard<'_, State>) {
    let waker = state.waker.take();
    drop(state);
    if let Some(waker) = waker {
        waker.wake();
    }
}

impl Outlet for Queue {
    fn send(&self, message: Vec<u8>) -> bool {
        self.queue(message, Rank::Usual)
    }

    fn insist(&self, message: Vec<u8>) -> bool {
        self.queue(message, Rank::Essential)
    }

    fn let_go(&self) {
        if self.log.as_ref().is_none_or(|log| !log.polling) {
            return;
        }
        let mut state = self.lock();
        if !state.closed {
            state.replace_reader();
            state.let_go = true;
            wake(state);
        }
    }
}

#[cfg(all(test, shuttle))]
mod schedules;
