//! Notifications on their way to one event stream.

use crate::session::Outlet;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// How many notifications wait at most, and how large they may be together: the oldest give way.
const MAX_MESSAGES: usize = 256;
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// A bounded queue with one reader at a time.
#[derive(Default)]
pub(super) struct Queue(Mutex<State>);

#[derive(Default)]
struct State {
    messages: VecDeque<Vec<u8>>,
    bytes: usize,
    reader: Reader,
    closed: bool,
    waker: Option<Waker>,
}

/// Who may read; a later claim ends an earlier one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reader(u64);

impl Queue {
    /// Makes a new reader; the one before finds its end.
    pub(super) fn claim(&self) -> Reader {
        let mut state = self.lock();
        let reader = Reader(state.reader.0 + 1);
        state.reader = reader;
        wake(state);
        reader
    }

    /// Nothing more will come.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        wake(state);
    }

    /// Everything that waits.
    pub(super) fn take(&self) -> VecDeque<Vec<u8>> {
        take(&mut self.lock())
    }

    /// Everything that waits, as soon as there is something; `None` when the reader's time is over.
    pub(super) fn poll(&self, reader: Reader, cx: &mut Context<'_>) -> Poll<Option<VecDeque<Vec<u8>>>> {
        let mut state = self.lock();
        if reader != state.reader {
            return Poll::Ready(None);
        }
        if !state.messages.is_empty() {
            return Poll::Ready(Some(take(&mut state)));
        }
        if state.closed {
            return Poll::Ready(None);
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    /// Does something wait? If not, the task is woken when it does.
    pub(super) fn poll_filled(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.lock();
        if !state.messages.is_empty() {
            return Poll::Ready(());
        }
        state.waker = Some(cx.waker().clone());
        Poll::Pending
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is whole after every statement.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn take(state: &mut State) -> VecDeque<Vec<u8>> {
    state.bytes = 0;
    std::mem::take(&mut state.messages)
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
        let mut state = self.lock();
        if state.closed {
            return false;
        }
        while state.messages.len() >= MAX_MESSAGES || state.bytes + message.len() > MAX_BYTES {
            let Some(oldest) = state.messages.pop_front() else { break };
            state.bytes -= oldest.len();
            tracing::debug!("a client does not keep up: a notification was dropped");
        }
        state.bytes += message.len();
        state.messages.push_back(message);
        wake(state);
        true
    }
}
