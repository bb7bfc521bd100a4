//! What is seen of requests from outside. A program of its own: its log is the whole process's.

#![allow(missing_docs)]

mod audit;
mod requests;
mod server;
mod spans;

use spans::Seen;
use std::sync::LazyLock;
use tokio::sync::{Mutex, MutexGuard};
use tracing_subscriber::prelude::*;

static SEEN: LazyLock<(Seen, Mutex<()>)> = LazyLock::new(|| {
    let seen = Seen::default();
    tracing_subscriber::registry().with(seen.clone()).init();
    (seen, Mutex::new(()))
});

/// What is seen from now on. One test at a time watches.
async fn watch() -> (&'static Seen, MutexGuard<'static, ()>) {
    let (seen, one) = &*SEEN;
    let turn = one.lock().await;
    seen.take();
    (seen, turn)
}
