//! Stores that are not the process's own: they fail, and others use them too.

use super::ask::{Ask, Session};
use super::fixture::{Stage, server, within};
use crate::{
    EventStore, KeptEvent, MemorySessions, SessionLimits, SessionRecord, SessionRoom, SessionStore, StoreFuture,
    StoredEvents,
};
use http_body_util::BodyExt;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const SECRET: &str = "the-secret-in-the-error";

/// A store that others hold as well, and that can be made to fail.
#[derive(Clone, Default)]
struct Remote {
    sessions: Arc<MemorySessions>,
    broken: Arc<AtomicBool>,
}

impl Remote {
    fn or_fail<'a, T: Send + 'a>(&self, future: StoreFuture<'a, T>) -> StoreFuture<'a, T> {
        match self.broken.load(Ordering::SeqCst) {
            true => Box::pin(async { Err(SECRET.into()) }),
            false => future,
        }
    }
}

impl SessionStore for Remote {
    fn open<'a>(
        &'a self,
        id: &'a str,
        record: SessionRecord,
        limits: &'a SessionLimits,
    ) -> StoreFuture<'a, SessionRoom> {
        self.or_fail(self.sessions.open(id, record, limits))
    }

    fn find<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<SessionRecord>> {
        self.or_fail(self.sessions.find(id))
    }

    fn touch(&self, id: &str) {
        self.sessions.touch(id);
    }

    fn end<'a>(&'a self, id: &'a str) -> StoreFuture<'a, bool> {
        self.or_fail(self.sessions.end(id))
    }
}

/// Loses everything.
struct Lost;

impl EventStore for Lost {
    fn append(&self, _session: &str, _event: KeptEvent<'_>) {}

    fn after<'a>(&'a self, _session: &'a str, _stream: u64, _position: u64) -> StoreFuture<'a, Option<StoredEvents>> {
        Box::pin(async { Err(SECRET.into()) })
    }

    fn end(&self, _session: &str) {}
}

#[tokio::test]
async fn a_store_that_fails_is_no_fault_of_the_client() {
    let remote = Remote::default();
    let service = server(&Stage::new()).session_store(remote.clone()).event_store(Lost).into_service().unwrap();
    let session = Session::open(&service, "2025-11-25").await;
    let begun = session.watched_call(1, "steps", json!({"k": 1})).of(&service).await;
    let id = begun.body.lines().find_map(|line| line.strip_prefix("id: ")).unwrap();
    let lost = session.get().header("last-event-id", id);
    remote.broken.store(true, Ordering::SeqCst);
    let echo = || session.call(1, "echo", json!({"text": "x"}));
    for ask in [echo(), session.get(), session.delete(), Ask::initialize("2025-11-25")] {
        let reply = ask.clone().of(&service).await;
        assert_eq!((reply.status, reply.code(), reply.header("mcp-session-id")), (503, -32603, None), "{ask:?}");
        assert!(!reply.body.contains(SECRET));
    }
    assert_eq!(Ask::call(1, "echo", json!({"text": "x"})).of(&service).await.text(), "x", "nobody else is concerned");
    remote.broken.store(false, Ordering::SeqCst);
    let reply = lost.of(&service).await;
    assert_eq!((reply.status, reply.code()), (503, -32603));
    assert!(!reply.body.contains(SECRET));
    assert_eq!(echo().of(&service).await.text(), "x");
}

#[tokio::test]
async fn a_session_that_another_process_has_ended_is_over() {
    let (remote, stage) = (Remote::default(), Stage::new());
    let service = server(&stage).session_store(remote.clone()).into_service().unwrap();
    let session = Session::open(&service, "2025-11-25").await;
    let mut standing = session.get().start(&service).await.into_body();
    within(standing.frame()).await.unwrap().unwrap();
    let _call = session.watched_call(1, "hold", json!({})).start(&service).await;
    stage.started().await;
    assert!(remote.sessions.end(&session.id).await.unwrap());
    assert_eq!(session.call(2, "echo", json!({"text": "x"})).of(&service).await.status, 404);
    assert!(!stage.ended().await, "the function ran to its end");
    assert!(within(standing.frame()).await.is_none(), "the stream ends");
    // One that another process has opened cannot be gone on with here.
    let foreign = "0123456789abcdef0123456789abcdef";
    let limits = SessionLimits::new(std::time::Duration::from_secs(60), 10, 10);
    let room = remote.sessions.open(foreign, SessionRecord::new(None), &limits).await.unwrap();
    assert_eq!(room, SessionRoom::Open);
    let elsewhere = Session { id: foreign.to_owned(), ..session };
    assert_eq!(elsewhere.call(2, "echo", json!({"text": "x"})).of(&service).await.status, 404);
}
