//! What has happened so far, and what should not have.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// How many of the faults are told.
const TOLD: usize = 20;

/// Something that is counted.
#[derive(Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    /// One more.
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// How many there have been.
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Shared by all clients.
#[derive(Default)]
pub(crate) struct Tally {
    /// Requests that were sent.
    pub(crate) requests: Count,
    /// Answers that came, each the one of its request.
    pub(crate) answers: Count,
    /// Requests whose answer was lost because the server was killed.
    pub(crate) interrupted: Count,
    /// Sessions that were opened.
    pub(crate) sessions: Count,
    /// Sessions that had died with the server: their client was told so, and opened another.
    pub(crate) gone: Count,
    /// Changes that subscribers were told of.
    pub(crate) changes: Count,
    /// Calls of several rounds that a server finished which had not begun them.
    pub(crate) handed_over: Count,
    /// Attempts at the session or the events of a life that is over.
    pub(crate) attempts: Count,
    /// Told at every answer.
    pub(crate) answered: Notify,
    ids: Mutex<HashSet<String>>,
    faults: Mutex<Vec<String>>,
}

impl Tally {
    /// An answer has come.
    pub(crate) fn answered(&self) {
        self.answers.add();
        self.answered.notify_waiters();
    }

    /// A session was opened; false if there has been one of that id.
    pub(crate) fn opened(&self, id: &str) -> bool {
        self.sessions.add();
        lock(&self.ids).insert(id.to_owned())
    }

    /// Something happened that must not.
    pub(crate) fn fault(&self, text: String) {
        lock(&self.faults).push(text);
        self.answered.notify_waiters();
    }

    /// How much happened that must not.
    pub(crate) fn faults(&self) -> usize {
        lock(&self.faults).len()
    }

    /// The first of it, line by line.
    pub(crate) fn first_faults(&self) -> String {
        lock(&self.faults).iter().take(TOLD).map(|fault| format!("  {fault}\n")).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
