//! Who is at the door, before it is known on whose behalf.

use super::Shared;
use crate::Server;
use crate::dispatch;
use http::{HeaderName, HeaderValue, Request};
use std::fmt::Write as _;
use std::net::IpAddr;

/// The header of the id of a request, in both directions.
pub(super) static REQUEST_ID: HeaderName = HeaderName::from_static(dispatch::REQUEST_ID);

/// The longest id that is taken over.
const MOST: usize = 128;

/// One request, for logs.
#[derive(Debug, Clone, Default)]
pub(in crate::transport) struct Visitor {
    /// The client's, as far as it is known.
    pub(in crate::transport) address: Option<IpAddr>,
    /// None if requests have no ids.
    pub(super) request_id: Option<HeaderValue>,
}

impl Visitor {
    /// Who sends a request that came from `peer`, if that is known. If requests have ids, it has its own among its headers
    /// afterwards, and nobody else's.
    pub(super) fn of<B>(shared: &Shared, peer: Option<IpAddr>, request: &mut Request<B>) -> Self {
        let peer = peer.map(|peer| peer.to_canonical());
        let trusting = shared.proxies.as_ref().filter(|proxies| peer.is_some_and(|peer| proxies.trust(peer)));
        let address = match (peer, trusting) {
            (Some(peer), Some(proxies)) => proxies.client(peer, request.headers()),
            (peer, _) => peer,
        };
        let request_id = shared.core.watchers.request_ids.then(|| {
            let id = trusting.and_then(|_| given(request)).or_else(fresh);
            match &id {
                Some(id) => drop(request.headers_mut().insert(&REQUEST_ID, id.clone())),
                None => drop(request.headers_mut().remove(&REQUEST_ID)),
            }
            id
        });
        Visitor { address, request_id: request_id.flatten() }
    }

    /// The id, as text.
    pub(super) fn id(&self) -> Option<&str> {
        self.request_id.as_ref().and_then(|id| id.to_str().ok())
    }
}

/// The id that a request brings, if it is one.
fn given<B>(request: &Request<B>) -> Option<HeaderValue> {
    let mut ids = request.headers().get_all(&REQUEST_ID).iter();
    let (Some(id), None) = (ids.next(), ids.next()) else { return None };
    let fits = |b: &u8| b.is_ascii_alphanumeric() || b"-_.:+/=~".contains(b);
    ((1..=MOST).contains(&id.len()) && id.as_bytes().iter().all(fits)).then(|| id.clone())
}

/// 128 random bits. A system that has none left gives none, and requests go on without ids.
fn fresh() -> Option<HeaderValue> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).ok()?;
    let mut id = String::with_capacity(2 * bits.len());
    for byte in bits {
        write!(id, "{byte:02x}").ok()?;
    }
    HeaderValue::try_from(id).ok()
}

/// # Ids of requests
impl Server {
    /// Gives every HTTP request an id, so that what a client reports can be found in the logs: 32 hexadecimal digits, or what a
    /// [trusted proxy](Self::trusted_proxies) says in `X-Request-Id` (at most 128 letters, digits and `-_.:+/=~`). Off without it.
    ///
    /// It is in the response (`X-Request-Id`), in the span of a request (`http.request.header.x-request-id`), which is around
    /// everything that its function logs, in the log of what was refused, in the
    /// [audit trail](crate::AuditEvent::http_request_id), and for functions `cx.header("x-request-id")`.
    pub fn request_ids(mut self, on: bool) -> Self {
        self.watchers.request_ids = on;
        self
    }
}
