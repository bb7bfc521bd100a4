//! The metadata of a server for somebody's router.

use super::metadata::Metadata;
use super::reply::{self, HttpBody};
use super::{HttpService, front};
use http::{Request, Response};
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::sync::Arc;
use std::task::{Context, Poll};

/// The protected resource metadata of a server (RFC 9728) as a tower service: to be mounted in an HTTP router beside the
/// [`HttpService`] that it comes from, at [`paths`](Self::paths). Cloning is cheap.
///
/// ```
/// use mcp_runtime::{Authorization, BuildError, JwtVerifier, Server};
///
/// fn router(server: Server) -> Result<axum::Router, BuildError> {
///     let verifier = JwtVerifier::new("https://login.example.com");
///     let service = server.authorization(Authorization::new("https://mcp.example.com/mcp", verifier)).into_service()?;
///     let metadata = service.metadata();
///     let router = axum::Router::new().route_service("/mcp", service);
///     Ok(metadata.paths().fold(router, |router, path| router.route_service(path, metadata.clone())))
/// }
/// ```
///
/// It answers every request that reaches it, whatever the path, since a router may have changed it. A server of its own
/// ([`Server::serve_http`](crate::Server::serve_http)) has it already, and so has a service that is a router's fallback.
#[derive(Clone)]
pub struct MetadataService(Option<Arc<Metadata>>);

impl HttpService {
    /// The metadata of the server, for its well-known paths. Without
    /// [`Server::authorization`](crate::Server::authorization) there are none, and the service knows no page.
    #[must_use]
    pub fn metadata(&self) -> MetadataService {
        MetadataService(self.shared.metadata.clone())
    }
}

impl MetadataService {
    /// Where clients look for it, such as `/.well-known/oauth-protected-resource/mcp`, and the same without the path of the
    /// endpoint.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|metadata| metadata.paths.iter().map(String::as_str))
    }
}

impl std::fmt::Debug for MetadataService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MetadataService").finish_non_exhaustive()
    }
}

impl<B> tower_service::Service<Request<B>> for MetadataService {
    type Response = Response<HttpBody>;
    type Error = Infallible;
    type Future = Ready<Result<Response<HttpBody>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let mut response = match &self.0 {
            Some(metadata) => metadata.respond(request.method()),
            None => reply::not_found("This server needs no authorization.\n"),
        };
        front::harden(response.headers_mut());
        ready(Ok(response))
    }
}
