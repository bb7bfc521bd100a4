//! The events of a session's streams, for clients whose connection broke.

use super::StoreFuture;
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One event of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptEvent<'a> {
    /// The stream, by its number in the session; a number is never used twice in a session.
    pub stream: u64,
    /// Its place in the stream. Places increase, but not every one need be taken.
    pub position: u64,
    /// An answer or a question, whose loss would be noticed. Others should give way first.
    pub essential: bool,
    /// The message.
    pub message: &'a [u8],
}

/// Events of one stream in order: the position and the message of each.
pub type StoredEvents = Vec<(u64, Vec<u8>)>;

/// Keeps the events of sessions within bounds of its own: the oldest give way.
///
/// Source: basic/transports of 2025-11-25, Resumability and Redelivery.
pub trait EventStore: Send + Sync + 'static {
    /// Keeps an event. Events of one stream come in the order of their positions. Must neither block nor panic.
    fn append(&self, session: &str, event: KeptEvent<'_>);

    /// The events of one stream behind a position, in order, each with its position; `None` if neither the event at that
    /// position nor any later one of the stream is kept.
    ///
    /// # Errors
    /// The store cannot be read.
    fn after<'a>(&'a self, session: &'a str, stream: u64, position: u64) -> StoreFuture<'a, Option<StoredEvents>>;

    /// Forgets a session. Must neither block nor panic.
    fn end(&self, session: &str);
}

/// Keeps events in the memory of the process.
#[derive(Debug)]
pub struct MemoryEvents {
    max_events: usize,
    max_bytes: usize,
    max_total: usize,
    sessions: Mutex<Sessions>,
}

#[derive(Debug, Default)]
struct Sessions {
    logs: HashMap<String, Log>,
    /// The bytes of all of them.
    total: usize,
}

/// The events of one session, oldest first.
#[derive(Debug, Default)]
struct Log {
    events: VecDeque<Kept>,
    bytes: usize,
}

#[derive(Debug)]
struct Kept {
    stream: u64,
    position: u64,
    essential: bool,
    message: Vec<u8>,
}

impl MemoryEvents {
    /// Keeps at most so many events for each session, whose messages have at most so many bytes together. A single message
    /// that has more is not kept at all.
    #[must_use]
    pub fn new(max_events: usize, max_bytes: usize) -> Self {
        MemoryEvents { max_events, max_bytes, max_total: 256 * 1024 * 1024, sessions: Mutex::default() }
    }

    /// Keeps at most so many bytes for all sessions together, 256 MiB without this. When there is no more room, the session
    /// that keeps most forgets all its events.
    #[must_use]
    pub fn max_total(mut self, bytes: usize) -> Self {
        self.max_total = bytes;
        self
    }

    fn lock(&self) -> MutexGuard<'_, Sessions> {
        // The table is whole after every statement.
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemoryEvents {
    /// 1,000 events and 4 MiB for each session.
    fn default() -> Self {
        MemoryEvents::new(1_000, 4 * 1024 * 1024)
    }
}

impl Log {
    /// Takes out the oldest event that nobody would miss much, or else the oldest of all; gives the bytes of its message.
    fn give_way(&mut self) -> Option<usize> {
        let index = self.events.iter().position(|event| !event.essential).unwrap_or(0);
        let size = self.events.remove(index)?.message.len();
        self.bytes -= size;
        Some(size)
    }
}

/// Forgets the log of the session that keeps most, unless that is `session` itself: whoever fills the room pays for it.
fn free_largest(logs: &mut HashMap<String, Log>, total: &mut usize, session: &str) -> bool {
    let largest = logs.iter().max_by_key(|(_, log)| log.bytes).filter(|(id, log)| *id != session && log.bytes > 0);
    let Some(id) = largest.map(|(id, _)| id.clone()) else { return false };
    if let Some(log) = logs.remove(&id) {
        *total -= log.bytes;
    }
    true
}

impl EventStore for MemoryEvents {
    fn append(&self, session: &str, event: KeptEvent<'_>) {
        let size = event.message.len();
        if size > self.max_bytes || self.max_events == 0 {
            return;
        }
        let mut sessions = self.lock();
        let Sessions { logs, total } = &mut *sessions;
        if !logs.contains_key(session) {
            logs.insert(session.to_owned(), Log::default());
        }
        while *total + size > self.max_total && free_largest(logs, total, session) {}
        let Some(log) = logs.get_mut(session) else { return };
        while log.events.len() >= self.max_events || log.bytes + size > self.max_bytes || *total + size > self.max_total
        {
            match log.give_way() {
                Some(freed) => *total -= freed,
                // All the room is taken by others.
                None => return,
            }
        }
        log.bytes += size;
        *total += size;
        let KeptEvent { stream, position, essential, message } = event;
        log.events.push_back(Kept { stream, position, essential, message: message.to_owned() });
    }

    fn after<'a>(&'a self, session: &'a str, stream: u64, position: u64) -> StoreFuture<'a, Option<StoredEvents>> {
        let found = self.lock().logs.get(session).and_then(|log| {
            let mut known = log.events.iter().filter(|e| e.stream == stream && e.position >= position).peekable();
            known.peek()?;
            let later = known.filter(|event| event.position > position);
            Some(later.map(|event| (event.position, event.message.clone())).collect())
        });
        Box::pin(std::future::ready(Ok(found)))
    }

    fn end(&self, session: &str) {
        let mut sessions = self.lock();
        if let Some(log) = sessions.logs.remove(session) {
            sessions.total -= log.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract;
    use super::*;

    #[tokio::test]
    async fn memory_keeps_the_contract() {
        contract::events(MemoryEvents::new(8, 100)).await;
    }

    #[tokio::test]
    async fn whoever_keeps_most_gives_way_to_others() {
        let store = MemoryEvents::new(8, 100).max_total(100);
        let keep = |session: &str, position: u64| {
            let message = [b'x'; 20];
            store.append(session, KeptEvent { stream: 1, position, essential: true, message: &message });
        };
        (1..=4).for_each(|position| keep("greedy", position));
        keep("modest", 1);
        keep("newcomer", 1);
        let kept = async |session: &str| store.after(session, 1, 0).await.unwrap().is_some();
        assert!(!kept("greedy").await);
        assert!(store.after("modest", 1, 1).await.unwrap().is_some());
        assert!(store.after("newcomer", 1, 1).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn the_oldest_give_way_and_answers_last() {
        let kept = async |store: &MemoryEvents| {
            let events = store.after("s", 1, 0).await.unwrap().unwrap_or_default();
            events.into_iter().map(|(position, _)| position).collect::<Vec<_>>()
        };
        let event = |position, essential, message| KeptEvent { stream: 1, position, essential, message };
        let store = MemoryEvents::new(3, 10);
        store.append("s", event(1, true, b"a"));
        for position in 2..=5 {
            store.append("s", event(position, false, b"b"));
        }
        assert_eq!(kept(&store).await, [1, 4, 5]);
        store.append("s", event(6, true, b"cccccccc"));
        assert_eq!(kept(&store).await, [1, 5, 6], "by number");
        store.append("s", event(7, false, b"dd"));
        assert_eq!(kept(&store).await, [6, 7], "by bytes");
        store.append("s", event(8, true, b"eeeeeeeeeee"));
        assert_eq!(kept(&store).await, [6, 7], "what fits nowhere drives nothing out");
        assert_eq!(store.after("s", 1, 8).await.unwrap(), None);
        store.end("s");
        assert!(store.lock().logs.is_empty());
        assert_eq!(store.lock().total, 0);
    }
}
