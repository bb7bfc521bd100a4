//! What has happened so far, beside the counts: who waits for it, and which ids there have been.

use mcp_endurance::tally::{self, Row, WRONG};
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// Something that is counted: where it stands in the table, and how it is called there.
pub(crate) type Entry = (Row, &'static str);

/// Requests that are to be answered.
pub(crate) const REQUESTS: Entry = (Row::Sent, "requests");
/// Answers, each the one of its request.
pub(crate) const ANSWERS: Entry = (Row::Received, "answers, each the request's own");
/// Requests whose answer was lost because the server was killed.
pub(crate) const INTERRUPTED: Entry = (Row::Fault, "requests interrupted by a kill");
/// Sessions that were opened.
pub(crate) const OPENED: Entry = (Row::Received, "sessions opened, no id twice");
/// Sessions that had died with the server: their client was told so, and opened another.
pub(crate) const GONE: Entry = (Row::Received, "sessions told that they died (404)");
/// Attempts at the session or the events of a life that is over.
pub(crate) const ATTEMPTS: Entry = (Row::Fault, "attempts at what died, all refused");
/// Changes that subscribers were told of.
pub(crate) const CHANGES: Entry = (Row::Received, "changes told to their subscribers");
/// Calls of several rounds that a server finished which had not begun them.
pub(crate) const HANDED_OVER: Entry = (Row::Received, "calls begun before a kill, ended behind it");
/// Ends of the server.
pub(crate) const KILLS: Entry = (Row::Fault, "kills (SIGKILL)");

/// Shared by all clients.
pub(crate) struct Tally {
    counts: tally::Tally,
    /// Told at every answer.
    pub(crate) answered: Notify,
    ids: Mutex<HashSet<String>>,
}

impl Tally {
    pub(crate) fn new() -> Self {
        let counts = tally::Tally::new();
        let all = [REQUESTS, ANSWERS, INTERRUPTED, OPENED, GONE, ATTEMPTS, CHANGES, HANDED_OVER, KILLS];
        all.into_iter().for_each(|(row, name)| counts.add(row, name, 0));
        Tally { counts, answered: Notify::new(), ids: Mutex::default() }
    }

    /// One more.
    pub(crate) fn one(&self, (row, name): Entry) {
        self.counts.one(row, name);
    }

    /// How many there have been.
    pub(crate) fn get(&self, (row, name): Entry) -> u64 {
        self.counts.count(row, name)
    }

    /// An answer has come.
    pub(crate) fn answered(&self) {
        self.one(ANSWERS);
        self.answered.notify_waiters();
    }

    /// A session was opened; false if there has been one of that id.
    pub(crate) fn opened(&self, id: &str) -> bool {
        self.one(OPENED);
        self.ids.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned())
    }

    /// Something happened that must not.
    pub(crate) fn fault(&self, text: String) {
        self.counts.found(WRONG, text);
        self.answered.notify_waiters();
    }

    /// How much happened that must not.
    pub(crate) fn faults(&self) -> u64 {
        self.counts.findings()
    }

    /// The table.
    pub(crate) fn table(&self) -> String {
        self.counts.table(&[])
    }
}
