//! What the programs of long runs share: the messages, clients over HTTP, the server's process, and what is counted.
//!
//! The server is `endurance-server`. `soak` keeps it busy, `chaos` kills it again and again.

pub mod command;
pub mod http;
pub mod message;
pub mod process;
pub mod tally;
pub mod way;

use std::io;
use std::time::Duration;

/// The largest message over HTTP, in bytes.
pub const BODY_LIMIT: usize = 256 * 1024;
/// The variable that says for how many seconds sessions may rest, and clients may take nothing of what they are sent.
pub const REST: &str = "ENDURANCE_REST";
/// The variable that names the folder for the table of sessions, which survives the process then.
pub const SESSIONS: &str = "ENDURANCE_SESSIONS";
/// The variable that names the folder of the certificate for TLS.
pub const CERTIFICATE: &str = "ENDURANCE_CERTIFICATE";
/// Longer than anything may take on the busiest machine; whoever waits so long has found a fault.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// What the panicking functions say; no client may ever see it.
pub const SECRET: &str = "the-secret-in-the-panic";

/// Waits, but not for ever.
///
/// # Errors
/// It takes longer than [`PATIENCE`]: [`io::ErrorKind::TimedOut`].
pub async fn within<T>(what: &str, future: impl Future<Output = T>) -> io::Result<T> {
    let late = |_| io::Error::new(io::ErrorKind::TimedOut, format!("{what}: nothing for {} s", PATIENCE.as_secs()));
    tokio::time::timeout(PATIENCE, future).await.map_err(late)
}
