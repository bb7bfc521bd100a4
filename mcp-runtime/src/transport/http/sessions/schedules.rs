//! Visits to a session, and its ends.

use super::*;
use crate::session::{KeptEvent, Outlet as _, StoreFuture, StoredEvents};
use crate::sync::atomic::{AtomicUsize, Ordering};
use crate::sync::schedules::explore;
use shuttle::future::block_on;
use shuttle::thread;
use std::time::Duration;

/// Counts the sessions that have gone for good.
#[derive(Default)]
struct Gone(AtomicUsize);

impl EventStore for Gone {
    fn append(&self, _: &str, _: KeptEvent<'_>) {}

    fn after<'a>(&'a self, _: &'a str, _: u64, _: u64) -> StoreFuture<'a, Option<StoredEvents>> {
        Box::pin(async { Ok(None) })
    }

    fn end(&self, _: &str) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// A table in which a session may rest for so long, with one session, and its id.
fn opened(idle: Duration, gone: &Arc<Gone>) -> (Arc<Sessions>, String) {
    let sessions = Arc::new(Sessions(Arc::new(Table {
        state: Mutex::default(),
        store: Arc::new(MemorySessions::default()),
        events: Arc::<Gone>::clone(gone),
        limits: SessionLimits::new(idle, 10, 10),
        nameless: Commons::new("sessions", 10, 10, None),
    })));
    let session = sessions.prepare(Kind::Streamable, &Caller::OWNER).expect("randomness");
    let visit = block_on(sessions.open(session, None)).expect("room");
    let id = visit.session().id().to_owned();
    (sessions, id)
}

fn within_a_runtime(run: impl FnOnce()) {
    // Its clock stands still, and what is spawned never runs: the scenarios sweep themselves.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime");
    let _inside = runtime.enter();
    run();
}

#[test]
fn a_session_ends_once_whoever_ends_it() {
    within_a_runtime(|| {
        explore("sessions, ends", || {
            let gone = Arc::new(Gone::default());
            let (sessions, id) = opened(Duration::ZERO, &gone);
            let delete = |sessions: &Arc<Sessions>, id: &str| {
                let (sessions, id) = (Arc::clone(sessions), id.to_owned());
                thread::spawn(move || {
                    let Ok(visit) = block_on(sessions.enter(&id, Kind::Streamable, None)) else { return };
                    block_on(sessions.end(&visit)).expect("the store works");
                    assert!(!visit.queue().send(b"late".to_vec()), "what has ended takes nothing");
                })
            };
            let deleting = [delete(&sessions, &id), delete(&sessions, &id)];
            block_on(sessions.0.sweep());
            for thread in deleting {
                thread.join().expect("it ends");
            }
            block_on(sessions.0.sweep());
            assert_eq!((sessions.count(), gone.0.load(Ordering::SeqCst)), (0, 1));
            assert!(block_on(sessions.enter(&id, Kind::Streamable, None)).is_err());
        });
    });
}

#[test]
fn a_session_does_not_end_by_itself_while_somebody_is_there() {
    within_a_runtime(|| {
        explore("sessions, visits", || {
            let gone = Arc::new(Gone::default());
            let (sessions, id) = opened(Duration::ZERO, &gone);
            let visiting = thread::spawn({
                let sessions = Arc::clone(&sessions);
                move || {
                    // It may have ended before.
                    let Ok(visit) = block_on(sessions.enter(&id, Kind::Streamable, None)) else { return };
                    assert!(visit.queue().send(b"news".to_vec()));
                }
            });
            block_on(sessions.0.sweep());
            visiting.join().expect("it ends");
            block_on(sessions.0.sweep());
            assert_eq!((sessions.count(), gone.0.load(Ordering::SeqCst)), (0, 1));
        });
    });
}
