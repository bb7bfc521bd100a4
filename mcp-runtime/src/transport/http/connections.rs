//! The limits of connections, for the server that accepts them itself.

use super::commons::{Commons, Taken, part};
use super::patience::Timeouts;
use super::proxies::Proxies;
use super::reply::{self, HttpBody};
use super::settings::NEVER;
use super::{Shared, body, front};
use crate::{Server, meter};
use http::header::{CONNECTION, RETRY_AFTER};
use http::{HeaderValue, Request, Response, StatusCode, Version};
use http_body::Body;
use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// What whoever is not let in is told.
const NO_ROOM: &str = "The server has as many connections as it may have at once, from this address or from all.\n";
/// In how many seconds there may be room.
const LATER: HeaderValue = HeaderValue::from_static("5");
/// So many connections beyond those that there may be are heard at a time, and for so long: others find theirs closed.
const SPARE: usize = 64;
const HEARD: Duration = Duration::from_secs(2);

/// The least room that a head is read into.
const LEAST_HEAD: usize = 8 * 1024;

/// What connections may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Connections {
    pub(super) max: usize,
    /// None: a part of all.
    pub(super) max_per_address: Option<usize>,
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
            max_per_address: None,
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
    places: Arc<Commons>,
    /// For those that find none, so that probes are answered at all times and others are told why they are not.
    spare: Arc<Commons>,
}

/// The place of a connection.
pub(super) struct Place {
    /// It is one of those beyond all that there are.
    pub(super) is_spare: bool,
    _taken: Taken,
}

impl Room {
    pub(super) fn new(limits: &Connections, proxies: Option<&Proxies>) -> Self {
        let each = limits.max_per_address.unwrap_or_else(|| part(limits.max));
        Room {
            places: Commons::new("connections", limits.max, each, proxies),
            spare: Commons::new("connections that are refused", SPARE, part(SPARE), proxies),
        }
    }

    /// A place for a connection from that address. If there is none at all the connection can only be closed.
    pub(super) fn enter(&self, peer: IpAddr) -> Option<Place> {
        let place = |commons: &Arc<Commons>, is_spare| {
            commons.take(Some(peer), 1).map(|taken| Place { is_spare, _taken: taken })
        };
        let entered = place(&self.places, false).or_else(|| place(&self.spare, true));
        if entered.is_none() {
            meter::refused(StatusCode::SERVICE_UNAVAILABLE);
        }
        entered
    }
}

impl Place {
    /// Serves a connection for as long as it may have its place.
    pub(super) async fn hold(self, connection: impl Future<Output = ()>) {
        if self.is_spare {
            // Whether it ended in time makes no difference.
            let _ = timeout(HEARD, connection).await;
        } else {
            connection.await;
        }
    }
}

/// Answers a request on a connection that has a spare place, and wants no other there: a probe is told what it asks.
pub(super) async fn turn_away<B>(shared: &Shared, peer: IpAddr, request: Request<B>) -> Response<HttpBody>
where
    B: Body + Send + 'static,
{
    let version = request.version();
    let answer = async |request: Request<B>, _| {
        if let Some(answer) = shared.probe(request.method(), request.uri().path()) {
            return answer;
        }
        meter::refused(StatusCode::SERVICE_UNAVAILABLE);
        let (parts, body) = request.into_parts();
        body::discard_later(&parts.headers, body);
        let mut response = reply::plain(StatusCode::SERVICE_UNAVAILABLE, NO_ROOM);
        response.headers_mut().insert(RETRY_AFTER, LATER);
        response
    };
    let mut response = front::respond(shared, Some(peer), request, answer).await;
    // HTTP/2 has other words for it.
    if version <= Version::HTTP_11 {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// # Limits of connections
/// They are for a server that accepts connections itself: [`serve_http`](Self::serve_http), [`bind_http`](crate::BuiltServer::bind_http)
/// and the command line. A service that is mounted in a router is behind the limits of whoever accepts there. See the
/// [table of all limits](crate::guide::limits).
impl Server {
    /// How many connections may be open at a time; more get a 503 and are closed. 10,000 without it. Each takes a file descriptor,
    /// of which the system may allow the process fewer.
    ///
    /// Beyond them, 64 are heard for two seconds each: they get the 503, but at the paths of [`health`](Self::health) what is to be
    /// said there. Whatever comes when there are as many of those finds its connection closed.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.http.connections.max = connections;
        self
    }

    /// How many of the connections may come from one address; more are refused as those beyond
    /// [`max_connections`](Self::max_connections) are. A quarter of all without it, and always ten. An IPv4 address may stand for all
    /// of a company or of a provider's customers (NAT), an IPv6 network of 64 bits (`/64`) for one machine: it counts as one address.
    ///
    /// This machine's own addresses (loopback), and those of [trusted proxies](Self::trusted_proxies), are not counted, for behind them
    /// are many: how many connections each client may have is then for the proxy to say. A proxy on another machine has to be listed;
    /// the log has a warning when an address has as many as it may have.
    pub fn max_connections_per_address(mut self, connections: usize) -> Self {
        self.http.connections.max_per_address = Some(connections);
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
