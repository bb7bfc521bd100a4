//! The limits of connections, for the server that accepts them itself.

use super::patience::Timeouts;
use super::settings::NEVER;
use crate::{Server, meter};
use http::StatusCode;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncWriteExt as _, sink};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// What whoever is not let in is told.
const NO_ROOM: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\n\
    content-length: 58\r\nx-content-type-options: nosniff\r\ncache-control: no-store\r\nretry-after: 5\r\n\
    connection: close\r\n\r\n\
    The server has as many connections as it may have at once.";
/// So many are told at a time, and for so long: others find the connection closed.
const MOST_REFUSED: usize = 64;
const REFUSING: Duration = Duration::from_secs(1);

/// The least room that a head is read into.
const LEAST_HEAD: usize = 8 * 1024;

/// What connections may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Connections {
    pub(super) max: usize,
    pub(super) timeouts: Timeouts,
    pub(super) body_timeout: Duration,
    /// In bytes.
    pub(super) max_header_size: usize,
    pub(super) max_headers: usize,
    /// Requests under way at a time over HTTP/2.
    #[cfg_attr(not(feature = "http2"), allow(dead_code))]
    pub(super) max_requests: u32,
}

impl Default for Connections {
    fn default() -> Self {
        Connections {
            max: 10_000,
            timeouts: Timeouts {
                head: Duration::from_secs(30),
                idle: Duration::from_secs(120),
                write: Duration::from_secs(60),
            },
            body_timeout: Duration::from_secs(120),
            max_header_size: 64 * 1024,
            max_headers: 100,
            max_requests: 100,
        }
    }
}

/// How many connections there may be.
pub(super) struct Room {
    places: Arc<Semaphore>,
    refusals: Arc<Semaphore>,
    /// Clients understand what they are told before anything else.
    is_plain: bool,
}

impl Room {
    pub(super) fn new(limits: &Connections, is_plain: bool) -> Self {
        let places = Semaphore::new(limits.max.min(Semaphore::MAX_PERMITS));
        Room { places: Arc::new(places), refusals: Arc::new(Semaphore::new(MOST_REFUSED)), is_plain }
    }

    /// A place for a connection. If there is none the connection is closed, after its client has been told why; over TLS
    /// nothing can be told that soon.
    pub(super) fn enter(&self, stream: TcpStream) -> Option<(TcpStream, OwnedSemaphorePermit)> {
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return Some((stream, place));
        }
        meter::refused(StatusCode::SERVICE_UNAVAILABLE);
        if self.is_plain
            && let Ok(place) = Arc::clone(&self.refusals).try_acquire_owned()
        {
            tokio::spawn(async move {
                // Whether it was heard makes no difference.
                let _ = timeout(REFUSING, refuse(stream)).await;
                drop(place);
            });
        }
        None
    }
}

/// What was sent is read, for a client that is cut off while it sends sees a broken connection instead of the reason.
async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    stream.write_all(NO_ROOM).await?;
    stream.shutdown().await?;
    tokio::io::copy(&mut stream, &mut sink()).await.map(drop)
}

/// # Limits of connections
/// They are for a server that accepts connections itself: [`serve_http`](Self::serve_http), [`bind_http`](crate::BuiltServer::bind_http)
/// and the command line. A service that is mounted in a router is behind the limits of whoever accepts there. See the
/// [table of all limits](crate::guide::limits).
impl Server {
    /// How many connections may be open at a time; more get a 503 and are closed. 10,000 without it. Each takes a file descriptor,
    /// of which the system may allow the process fewer.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.http.connections.max = connections;
        self
    }

    /// How many requests one HTTP/2 connection may have under way at a time; its client waits with more. 100 without it. Over
    /// HTTP/1.1 it is one.
    #[cfg(feature = "http2")]
    pub fn max_requests_per_connection(mut self, requests: u32) -> Self {
        self.http.connections.max_requests = requests;
        self
    }

    /// The size in bytes of the largest head of a request: its line and its headers; a larger one gets a 431. 64 KiB without
    /// it, at least 8 KiB.
    pub fn max_header_size(mut self, bytes: usize) -> Self {
        self.http.connections.max_header_size = bytes.max(LEAST_HEAD);
        self
    }

    /// How many headers a request may have over HTTP/1.1; one with more gets a 431. 100 without it.
    pub fn max_headers(mut self, headers: usize) -> Self {
        self.http.connections.max_headers = headers;
        self
    }

    /// How long a client may take for the first request of a connection, TLS and all, and from the first byte of every other one
    /// to the end of its headers, before the connection is closed. 30 seconds without it.
    pub fn header_timeout(mut self, timeout: Duration) -> Self {
        self.http.connections.timeouts.head = timeout.min(NEVER);
        self
    }

    /// How long a client may take to send a message, from the end of its headers to the end of its body; a slower one gets a
    /// 408. Two minutes without it. A client that pauses for 30 seconds gets one as well.
    pub fn body_timeout(mut self, timeout: Duration) -> Self {
        self.http.connections.body_timeout = timeout.min(NEVER);
        self
    }

    /// How long a connection may be without any request before it is closed, over HTTP/2 with a GOAWAY. Two minutes without it. An
    /// open event stream is a request that is under way, and so is an answer that the client has not read yet. It has to be longer
    /// than a proxy in front keeps connections that rest, for over HTTP/1.1 a request can meet the end on its way.
    pub fn connection_idle_timeout(mut self, timeout: Duration) -> Self {
        self.http.connections.timeouts.idle = timeout.min(NEVER);
        self
    }

    /// How long a client may take nothing of what is sent to it before the connection is cut off, which it then finds broken. One
    /// minute without it. Over HTTP/2, where clients say of each answer by itself how much they take, one answer that is left
    /// lying is enough, and it may lie half as long again.
    pub fn write_timeout(mut self, timeout: Duration) -> Self {
        self.http.connections.timeouts.write = timeout.min(NEVER);
        self
    }
}
