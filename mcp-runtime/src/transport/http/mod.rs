//! Streamable HTTP, every revision on one endpoint.
//!
//! How the parts meet, in the order in which a request passes them:
//!
//! ```text
//! listener    sockets, TLS (tls), the path, shutdown; absent when the service is mounted in somebody's router
//! commons     what all share: connections, memory for bodies, sessions without names
//! front       what every request and every response gets: an id, the address of the client (visitor, proxies), CORS (cors),
//!             headers, containment of panics
//! endpoint    Host and Origin (guard), the token (authorize), method, Content-Type and Accept (negotiate), the body (body)
//! messages    parses the body, tells the era, hands the message to dispatch in its session (sessions, session)
//! call        waits for an answer that is not there at once
//! resume      the streams that a client comes back for (event_id)
//! reply       JSON, or events as soon as a notification precedes the answer (queue, events), or a subscription (listening)
//! ```
//!
//! A stateless call lives in the future that hyper polls, or in the body that hyper sends: when the client closes the
//! connection hyper drops either, and that is the cancellation. A call of the handshake era runs in a task of its own,
//! which nobody but `notifications/cancelled` or the end of the session stops.
//!
//! Source: basic/transports/streamable-http of 2026-07-28, basic/transports of 2025-03-26 to 2025-11-25.

mod authorize;
pub(super) mod body;
mod call;
mod commons;
mod connections;
pub(super) mod cors;
pub(super) mod endpoint;
mod event_id;
pub(super) mod events;
pub(super) mod front;
mod guard;
pub(super) mod headers;
mod health;
mod listener;
mod listening;
pub(super) mod messages;
mod metadata;
#[cfg(feature = "auth")]
mod metadata_service;
pub(super) mod negotiate;
mod patience;
pub(super) mod principal;
mod proxies;
pub(super) mod queue;
pub(super) mod reply;
mod resume;
pub(super) mod session;
pub(super) mod sessions;
mod settings;
#[cfg(test)]
mod tests;
#[cfg(feature = "tls")]
mod tls;
#[cfg(not(feature = "tls"))]
#[path = "no_tls.rs"]
mod tls;
pub(super) mod visitor;

pub use listener::HttpListener;
#[cfg(feature = "auth")]
pub use metadata_service::MetadataService;
pub use proxies::{ForwardingHeader, PeerAddress};
pub use reply::HttpBody;
pub(crate) use settings::Settings;
#[cfg(feature = "tls")]
pub use tls::Tls;

use crate::auth::Authorization;
use crate::dispatch::Core;
use crate::{BuildError, BuiltServer, Server};
use commons::Commons;
use connections::Connections;
use guard::Guard;
use health::Health;
use http::{Method, Request, Response};
use http_body::Body;
use metadata::Metadata;
use proxies::Proxies;
use sessions::Sessions;
use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The server as a tower service, to be mounted in an HTTP router. Cloning is cheap; all clones share the sessions.
///
/// It answers every request that reaches it, whatever the path: mount it with axum's `route_service`, `nest_service` or
/// `fallback_service`. It must run inside of a tokio runtime.
///
/// ```
/// use mcp_runtime::{BuildError, Server};
///
/// fn router(server: Server) -> Result<axum::Router, BuildError> {
///     Ok(axum::Router::new().route_service("/mcp", server.into_service()?))
/// }
/// ```
///
/// Requests whose `Host` is no name of this machine are refused until [`Server::allowed_hosts`] says otherwise.
#[derive(Clone)]
pub struct HttpService {
    shared: Arc<Shared>,
}

/// What all requests share.
pub(super) struct Shared {
    pub(super) core: Arc<Core>,
    pub(super) guard: Guard,
    authorization: Option<Authorization>,
    metadata: Option<Arc<Metadata>>,
    health: Health,
    /// The server has been asked to end.
    leaving: AtomicBool,
    proxies: Option<Proxies>,
    pub(super) max_body_size: usize,
    /// The bytes that the bodies of requests may still take.
    body_memory: Arc<Commons>,
    connections: Connections,
    /// None: old clients, which need sessions, are turned away.
    pub(super) sessions: Option<Sessions>,
    /// The calls of sessions, so that a shutdown can wait for them.
    pub(super) tasks: TaskTracker,
    /// The server is about to end: so are subscriptions.
    pub(super) stopping: CancellationToken,
    /// Where clients of HTTP+SSE find the server, if they are to be told.
    #[cfg(feature = "sse")]
    pub(super) sse_prefix: Option<String>,
}

impl HttpService {
    fn new(server: BuiltServer, guard: Guard) -> Self {
        let settings = server.http;
        let sessions = settings.sessions.then(|| Sessions::new(&settings));
        let (memory, largest) = (settings.max_body_memory, settings.max_body_size);
        let part = commons::part(memory).max(largest);
        let body_memory = Commons::new("memory for messages", memory, part, settings.proxies.as_ref());
        HttpService {
            shared: Arc::new(Shared {
                core: server.core,
                guard,
                metadata: settings.authorization.as_ref().map(Metadata::new).map(Arc::new),
                authorization: settings.authorization,
                health: settings.health,
                leaving: AtomicBool::new(false),
                proxies: settings.proxies,
                max_body_size: settings.max_body_size,
                body_memory,
                connections: settings.connections,
                sessions,
                tasks: TaskTracker::new(),
                stopping: CancellationToken::new(),
                #[cfg(feature = "sse")]
                sse_prefix: settings.sse_prefix,
            }),
        }
    }
}

impl Shared {
    /// A page beside the endpoint, if it is one that is asked for.
    fn page(&self, method: &Method, path: &str) -> Option<Response<HttpBody>> {
        let metadata = self.metadata.as_ref().and_then(|metadata| metadata.answer(method, path));
        metadata.or_else(|| self.probe(method, path))
    }

    /// What a probe is told, if it is one.
    fn probe(&self, method: &Method, path: &str) -> Option<Response<HttpBody>> {
        self.health.answer(method, path, self.leaving.load(Ordering::Relaxed))
    }
}

/// Where a request comes from, if whoever accepted its connection tells.
pub(super) fn peer<B>(request: &Request<B>) -> Option<IpAddr> {
    request.extensions().get::<PeerAddress>().map(|peer| peer.0)
}

#[cfg(feature = "sse")]
impl HttpService {
    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }
}

impl std::fmt::Debug for HttpService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpService").finish_non_exhaustive()
    }
}

impl<B> tower_service::Service<Request<B>> for HttpService
where
    B: Body + Send + 'static,
{
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<HttpBody>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let shared = Arc::clone(&self.shared);
        let peer = peer(&request);
        Box::pin(async move { Ok(endpoint::respond(&shared, peer, request).await) })
    }
}

impl BuiltServer {
    /// The server as a tower service for an HTTP router, speaking Streamable HTTP.
    #[must_use]
    pub fn into_service(self) -> HttpService {
        let guard = Guard::new(&self.http, None);
        HttpService::new(self, guard)
    }
}

impl Server {
    /// Builds the server and makes it a tower service for an HTTP router, speaking Streamable HTTP.
    ///
    /// # Errors
    /// What [`build`](Self::build) finds.
    pub fn into_service(self) -> Result<HttpService, BuildError> {
        Ok(self.build()?.into_service())
    }
}
