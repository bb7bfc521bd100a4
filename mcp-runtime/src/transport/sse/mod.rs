//! HTTP+SSE, the transport of 2024-11-05: one stream for everything that the server says, and a path for what the client says.
//!
//! ```text
//! GET  …/sse         opens a session and its stream, whose first event tells where messages are to be sent
//! POST …/messages    brings a message; its answer comes on the stream
//! ```
//!
//! Host, Origin, limits and the table of sessions are those of Streamable HTTP. A session ends with its stream, for nobody
//! could hear of it any more.
//!
//! Source: basic/transports of 2024-11-05, HTTP with SSE.

mod messages;
mod stream;

use super::http::reply::{HttpBody, Refusal, not_found};
use super::http::sessions::Sessions;
use super::http::visitor::Visitor;
use super::http::{HttpService, Shared, body, cors, front, peer};
use ::http::request::Parts;
use ::http::{Method, Request, Response};
use http_body::Body;
use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The server as a tower service for clients that speak HTTP+SSE, to be mounted in an HTTP router. Cloning is cheap; all
/// clones share the sessions with the [`HttpService`] that they come from.
///
/// It answers requests whose path ends with `/sse` or `/messages`: mount it with axum's `nest_service`, so that both are
/// reached, or with `route_service` at either.
///
/// ```
/// use mcp_runtime::{BuildError, Server};
///
/// fn router(server: Server) -> Result<axum::Router, BuildError> {
///     let service = server.into_service()?;
///     Ok(axum::Router::new().nest_service("/old", service.sse()).route_service("/mcp", service))
/// }
/// ```
///
/// Clients are told to send their messages to `messages` beside the path under which they opened the stream, whatever router
/// or proxy has made of that path: see [`Server::sse_prefix`](crate::Server::sse_prefix).
#[derive(Clone)]
pub struct SseService {
    shared: Arc<Shared>,
}

impl HttpService {
    /// The same server for clients of revision 2024-11-05, which speak HTTP+SSE.
    #[must_use]
    pub fn sse(&self) -> SseService {
        SseService { shared: Arc::clone(self.shared()) }
    }
}

impl std::fmt::Debug for SseService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SseService").finish_non_exhaustive()
    }
}

impl<B> tower_service::Service<Request<B>> for SseService
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
        Box::pin(async move { Ok(respond(&shared, peer, request).await) })
    }
}

/// Answers a request.
pub(super) async fn respond<B>(shared: &Arc<Shared>, peer: Option<IpAddr>, request: Request<B>) -> Response<HttpBody>
where
    B: Body + Send + 'static,
{
    front::respond(shared, peer, request, |request, visitor| route(shared, request, visitor)).await
}

async fn route<B>(shared: &Arc<Shared>, request: Request<B>, visitor: Visitor) -> Response<HttpBody>
where
    B: Body + Send + 'static,
{
    let (mut parts, body) = request.into_parts();
    let admitted = shared.admit(&mut parts, &visitor).await;
    let answered = match admitted.and_then(|()| Errand::of(shared, &parts, &body)) {
        Ok(Errand::Stream(sessions)) => stream::open(shared, sessions, &parts, &visitor).await,
        Ok(Errand::Message(sessions)) => return messages::receive(shared, sessions, parts, body, &visitor).await,
        Ok(Errand::Preflight(methods)) => Ok(cors::preflight(&parts.headers, methods)),
        Ok(Errand::Nothing) => Ok(not_found("Nothing is here but `sse` and `messages`.\n")),
        Err(refusal) => Err(refusal),
    };
    body::discard_later(&parts.headers, body);
    answered.unwrap_or_else(|refusal| refusal.respond(None))
}

/// What a request that may come in wants.
enum Errand<'s> {
    Stream(&'s Sessions),
    Message(&'s Sessions),
    /// A browser asks what it may send. These are the methods.
    Preflight(&'static str),
    Nothing,
}

impl<'s> Errand<'s> {
    /// Judges everything that can be judged by the head alone.
    fn of<B: Body>(shared: &'s Shared, parts: &Parts, body: &B) -> Result<Self, Refusal> {
        let Some(sessions) = &shared.sessions else { return Ok(Errand::Nothing) };
        match (parts.uri.path().rsplit('/').next(), &parts.method) {
            (Some("sse"), &Method::GET) => stream::check(&parts.headers).map(|()| Errand::Stream(sessions)),
            (Some("sse"), _) => shared.guard.other_method(parts, "GET").map(Errand::Preflight),
            (Some("messages"), &Method::POST) => {
                messages::check(shared, &parts.headers, body).map(|()| Errand::Message(sessions))
            }
            (Some("messages"), _) => shared.guard.other_method(parts, "POST").map(Errand::Preflight),
            _ => Ok(Errand::Nothing),
        }
    }
}
