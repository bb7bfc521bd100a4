//! Everything that goes out: one buffer, one writer at a time.

use super::streams;
use crate::session::Outlet;
use crate::transport::duplex::{Outgoing, Resume};
use crate::wire;
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// With more than this waiting, reading pauses, and notifications are dropped.
const FULL: usize = 16 * 1024 * 1024;
/// With more than this waiting, news of changes are kept back: they come to the same later on.
const BUSY: usize = 64 * 1024;
/// Up to this much goes out at once when the pipe has room: it fits into what every pipe guarantees to take whole.
const SMALL: usize = 4096;

/// The buffer and whoever waits for it.
pub(super) struct Outbox {
    output: File,
    state: Mutex<State>,
    /// The writer waits for something to write.
    filled: Condvar,
    /// The reader waits for room.
    emptied: Condvar,
    /// Puts in what was kept back.
    resume: OnceLock<Resume>,
}

#[derive(Default)]
struct State {
    buffer: Vec<u8>,
    /// Somebody is writing what was taken out of the buffer.
    writing: bool,
    writer_waits: bool,
    reader_waits: bool,
    /// Something is kept back until there is room.
    kept_back: bool,
    /// Nothing more will come.
    closed: bool,
    /// The peer is gone.
    broken: bool,
}

impl Outbox {
    pub(super) fn new(output: File) -> Self {
        Outbox {
            output,
            state: Mutex::default(),
            filled: Condvar::new(),
            emptied: Condvar::new(),
            resume: OnceLock::new(),
        }
    }

    /// Queues one message. With `flush`, and if nobody else is writing, it goes out by the caller's own hand: that spares
    /// waking the writer for every single call.
    pub(super) fn put(&self, mut message: Vec<u8>, flush: bool) {
        wire::single_line(&mut message);
        let mut state = self.lock();
        if state.broken {
            return;
        }
        state.buffer.extend_from_slice(&message);
        state.buffer.push(b'\n');
        if flush && !state.writing && state.buffer.len() <= SMALL && streams::is_writable(&self.output) {
            drop(self.write(state));
        } else if state.writer_waits {
            self.filled.notify_one();
        }
    }

    /// Waits until there is room for more; false if the peer is gone.
    pub(super) fn wait_for_room(&self) -> bool {
        let mut state = self.lock();
        while state.buffer.len() > FULL && !state.broken {
            state.reader_waits = true;
            state = self.emptied.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.reader_waits = false;
        }
        !state.broken
    }

    /// The writer: writes until everything is written and the outbox is closed, or the peer is gone.
    pub(super) fn write_all(&self) {
        let mut state = self.lock();
        loop {
            if state.broken || (state.closed && state.buffer.is_empty() && !state.writing) {
                return;
            }
            if state.buffer.is_empty() || state.writing {
                state.writer_waits = true;
                state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.writer_waits = false;
            } else {
                state = self.write(state);
            }
        }
    }

    /// No more messages will come: the writer ends when all are written.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_one();
    }

    /// Writes what is in the buffer, without holding the lock meanwhile.
    fn write<'s>(&'s self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        let mut taken = std::mem::take(&mut state.buffer);
        state.writing = true;
        drop(state);
        let result = write_whole(&self.output, &taken);
        let mut state = self.lock();
        state.writing = false;
        // The old buffer goes on being used, unless a large message has blown it up.
        taken.clear();
        if state.buffer.is_empty() && taken.capacity() <= 16 * SMALL {
            state.buffer = taken;
        }
        if let Err(error) = result {
            tracing::debug!(%error, "the peer is gone");
            state.broken = true;
            state.buffer = Vec::new();
        }
        // To notify nobody would cost every single call a system call.
        if state.reader_waits {
            self.emptied.notify_one();
        }
        if state.kept_back && state.buffer.len() <= BUSY && !state.broken {
            state.kept_back = false;
            drop(state);
            self.resume.get().inspect(|resume| resume());
            state = self.lock();
        }
        // What came meanwhile is the writer's, and so is the news that the peer is gone.
        if state.writer_waits && (!state.buffer.is_empty() || state.broken || state.closed) {
            self.filled.notify_one();
        }
        state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No statement under the lock can panic half-way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes everything, also to a pipe that whoever started the process has made non-blocking.
fn write_whole(mut output: &File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match output.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => streams::await_room(output)?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

impl Outlet for Outbox {
    fn send(&self, message: Vec<u8>) -> bool {
        let has_room = {
            let state = self.lock();
            state.buffer.len() <= FULL && !state.broken
        };
        if has_room {
            self.put(message, false);
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
        self.put(message, false);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::fd::OwnedFd;
    use std::sync::Arc;
    use std::sync::mpsc::channel;

    #[test]
    fn news_are_kept_back_until_the_peer_has_read() {
        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        let outbox = Arc::new(Outbox::new(OwnedFd::from(writer).into()));
        let (resumed, resume) = channel();
        outbox.when_roomy(Box::new(move || resumed.send(()).expect("the test waits")));
        let writing = std::thread::spawn({
            let outbox = Arc::clone(&outbox);
            move || outbox.write_all()
        });
        let message = vec![b'x'; BUSY];
        let mut sent = 0;
        // The pipe takes some, the writer holds some, and the rest waits.
        while outbox.has_room() {
            assert!(outbox.send(message.clone()));
            sent += 1;
        }
        assert!(sent < 16, "{sent} messages were taken from a peer that does not read");
        assert!(resume.try_recv().is_err());
        assert!(!outbox.has_room(), "nobody else gets ahead of what is kept back");
        let reading = std::thread::spawn(move || {
            let mut all = Vec::new();
            reader.read_to_end(&mut all).expect("the pipe is whole");
            all.len()
        });
        resume.recv().expect("there is room again");
        assert!(outbox.has_room());
        outbox.close();
        writing.join().expect("the writer ends");
        drop(outbox);
        assert_eq!(reading.join().expect("the reader ends"), sent * (BUSY + 1));
    }
}
