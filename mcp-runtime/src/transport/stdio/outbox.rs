//! Everything that goes out: one buffer, one writer at a time.
//!
//! Whoever has an answer writes it, with what has gathered before, as far as the peer takes it without waiting. Answers to
//! messages that came together, and notifications of a call, gather: many messages for one system call. The reader writes
//! them before it reads on, piece by piece if need be, as long as there is nothing to read. A thread that may wait for the
//! peer does the rest: it watches meanwhile, so that nothing lies there for longer than [`SOON`].

mod pending;

use crate::meter;
use crate::session::Outlet;
use crate::sync::{Condvar, Mutex, MutexGuard, wait_timeout};
use crate::transport::duplex::{Outgoing, Resume};
use std::fs::File;
use std::io;
use std::sync::{OnceLock, PoisonError};
use std::time::Duration;

#[cfg(not(all(test, shuttle)))]
use super::streams;
use pending::Pending;
#[cfg(all(test, shuttle))]
use schedules::streams;
use streams::Ready;

/// With more than this waiting, reading pauses, and notifications are dropped.
const FULL: usize = 16 * 1024 * 1024;
/// With more than this waiting, news of changes are kept back: they come to the same later on.
const BUSY: usize = 64 * 1024;
/// How long a message may wait for others that go out with it.
const SOON: Duration = Duration::from_micros(500);

/// When a message must go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Now,
    /// Something will follow shortly that must go out now; within [`SOON`] otherwise.
    Soon,
    /// Before more is read: whoever puts it in calls [`settle`](Outbox::settle) next.
    BeforeReading,
}

/// The buffer and whoever waits for it.
pub(super) struct Outbox {
    output: File,
    state: Mutex<State>,
    /// The thread that may wait has something to do.
    work: Condvar,
    /// The reader waits for room.
    emptied: Condvar,
    /// Puts in what was kept back.
    resume: OnceLock<Resume>,
}

#[derive(Default)]
struct State {
    buffer: Pending,
    /// Somebody is writing what was taken out of the buffer.
    writing: bool,
    /// The buffer holds something that must go out, and nobody but the thread is there to write it.
    due: bool,
    thread: Thread,
    /// Counts what was put in to go out soon.
    soon: u64,
    /// Counts the bytes that went out.
    written: u64,
    reader_waits: bool,
    /// Something is kept back until there is room.
    kept_back: bool,
    /// Nothing more will come.
    closed: bool,
    /// The peer is gone.
    broken: bool,
}

/// What the thread that may wait is doing.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Thread {
    /// It is at work, or has not begun yet: it will look at the buffer before it rests.
    #[default]
    Awake,
    /// It looks at the buffer again after [`SOON`].
    Watching,
    /// Somebody has to wake it.
    Resting,
}

impl Outbox {
    pub(super) fn new(output: File) -> Self {
        Outbox {
            output,
            state: Mutex::default(),
            work: Condvar::new(),
            emptied: Condvar::new(),
            resume: OnceLock::new(),
        }
    }

    /// Queues one message. Never waits for the peer.
    pub(super) fn put(&self, mut message: Vec<u8>, when: When) {
        message.push(b'\n');
        let mut state = self.lock();
        if state.broken {
            return;
        }
        state.buffer.put(message);
        match when {
            When::Now if state.writing => state.due = true,
            When::Now => {
                let state = self.write(state, streams::write_some);
                if state.due {
                    self.wake(&state, Thread::Watching);
                }
            }
            When::BeforeReading => {}
            When::Soon => {
                state.soon = state.soon.wrapping_add(1);
                self.wake(&state, Thread::Resting);
            }
        }
    }

    /// Before more is read: writes what has gathered, until there is something to read, and waits until there is room for
    /// more. False if the peer is gone.
    pub(super) fn settle(&self, input: &File) -> bool {
        let mut state = self.lock();
        while !state.buffer.is_empty() && !state.broken {
            if state.writing {
                // Whoever is writing leaves what came meanwhile to the thread.
                state.due = true;
                break;
            }
            let before = state.written;
            state = self.write(state, streams::write_some);
            if !state.due {
                continue;
            }
            if state.written == before {
                // Whoever takes nothing without waiting is for the thread.
                self.wake(&state, Thread::Watching);
                break;
            }
            // The thread need not be woken for the rest, only watch, in case that what is read next takes long.
            state.soon = state.soon.wrapping_add(1);
            self.wake(&state, Thread::Resting);
            drop(state);
            let ready = streams::await_either(input, &self.output);
            state = self.lock();
            if !matches!(ready, Ok(Ready::Output)) {
                break;
            }
        }
        while state.buffer.len() > FULL && !state.broken {
            state.due = true;
            self.wake(&state, Thread::Watching);
            state.reader_waits = true;
            state = self.emptied.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.reader_waits = false;
        }
        !state.broken
    }

    /// The work of the thread that may wait for the peer: until everything is written and the outbox is closed, or the peer is
    /// gone.
    pub(super) fn write_all(&self) {
        let mut state = self.lock();
        loop {
            if state.broken || (state.closed && state.buffer.is_empty() && !state.writing) {
                return;
            }
            let is_due = state.due || state.closed;
            state = match is_due && !state.buffer.is_empty() && !state.writing {
                true => self.write(state, streams::write_whole),
                false => self.watch(state),
            };
        }
    }

    /// Waits for something to do. While messages are put in that go out soon, looks after them by the clock: to be woken for
    /// each would cost more than to write it.
    fn watch<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let before = state.soon;
        state.thread = Thread::Watching;
        let (mut state, timed_out) = wait_timeout(&self.work, &self.state, state, SOON);
        if timed_out {
            state.due |= !state.buffer.is_empty();
            let is_quiet = !state.due && state.soon == before && !state.closed && !state.broken;
            // While somebody else writes there is nothing to do: whoever it is wakes the thread if something is left.
            if is_quiet || state.writing {
                state.thread = Thread::Resting;
                state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        state.thread = Thread::Awake;
        state
    }

    /// No more messages will come: the thread ends when all are written.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        self.wake(&state, Thread::Watching);
    }

    /// Wakes the thread if it is doing this, or even less.
    fn wake(&self, state: &State, doing: Thread) {
        // To notify nobody would cost every single call a system call.
        if state.thread == Thread::Resting || state.thread == doing {
            self.work.notify_one();
        }
    }

    /// Writes what is in the buffer, without holding the lock meanwhile; `write` says how much of it went out. The rest is due.
    fn write<'s>(
        &'s self,
        mut state: MutexGuard<'s, State>,
        write: fn(&File, &[u8]) -> io::Result<usize>,
    ) -> MutexGuard<'s, State> {
        let mut taken = std::mem::take(&mut state.buffer);
        state.writing = true;
        state.due = false;
        drop(state);
        let result = write(&self.output, taken.rest());
        let mut state = self.lock();
        state.writing = false;
        state.written += *result.as_ref().unwrap_or(&0) as u64;
        match result {
            Ok(written) if written < taken.len() => {
                taken.advance(written);
                taken.append(&state.buffer);
                state.buffer = taken;
                state.due = true;
            }
            Ok(_) if state.buffer.is_empty() => state.buffer = taken.recycle(),
            Ok(_) => {}
            Err(error) => {
                tracing::debug!(%error, "the peer is gone");
                state.broken = true;
                state.buffer = Pending::default();
            }
        }
        if state.reader_waits {
            self.emptied.notify_one();
        }
        if state.kept_back && state.buffer.len() <= BUSY && !state.broken {
            state.kept_back = false;
            drop(state);
            self.resume.get().inspect(|resume| resume());
            state = self.lock();
        }
        // The thread must know that the peer is gone, too.
        if state.broken || state.closed {
            self.wake(&state, Thread::Watching);
        }
        state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No statement under the lock can panic half-way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Outlet for Outbox {
    fn send(&self, message: Vec<u8>) -> bool {
        let has_room = {
            let state = self.lock();
            state.buffer.len() <= FULL && !state.broken
        };
        match has_room {
            true => self.put(message, When::Soon),
            false => meter::dropped(),
        }
        has_room
    }

    fn has_room(&self) -> bool {
        let mut state = self.lock();
        state.kept_back |= state.buffer.len() > BUSY;
        !state.kept_back
    }
}

impl Outgoing for Outbox {
    fn when_roomy(&self, resume: Resume) {
        let _ = self.resume.set(resume);
    }

    fn answer(&self, message: Vec<u8>) {
        self.put(message, When::Now);
    }
}

#[cfg(all(test, shuttle))]
mod schedules;
#[cfg(all(test, unix))]
mod tests;
