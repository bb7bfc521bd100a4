//! A server that is kept busy, and what it shares with the clients that watch it.

pub mod gauges;
pub mod http;
pub mod message;
pub mod plan;
pub mod process;
pub mod tally;

use std::time::Duration;

/// The largest message over HTTP, in bytes.
pub const BODY_LIMIT: usize = 256 * 1024;
/// How long a session may rest.
pub const SESSION_REST: Duration = Duration::from_secs(15);
/// How long a client may take nothing of what it is sent.
pub const WRITE_PATIENCE: Duration = Duration::from_secs(15);
/// Longer than anything may take on the busiest machine; whoever waits so long has found a fault.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// What the panicking functions say; no client may ever see it.
pub const SECRET: &str = "the-secret-in-the-panic";
