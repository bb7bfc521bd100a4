//! What is done to every request and every response, whatever is between them.

use super::Shared;
use super::reply::{HttpBody, Refusal};
use super::visitor::{REQUEST_ID, Visitor};
use crate::ToolError;
use crate::contain::contain;
use http::header::{CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use std::future::{Future, poll_fn};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::task::Poll;

/// Answers a request that came from `peer`, if that is known, by `work`.
///
/// What a request passes on its way is no `async fn`: that would hold what it is given twice, and the future of a request is
/// moved.
pub(in crate::transport) fn respond<B, F>(
    shared: &Shared,
    peer: Option<IpAddr>,
    mut request: Request<B>,
    work: impl FnOnce(Request<B>, Visitor) -> F,
) -> impl Future<Output = Response<HttpBody>>
where
    F: Future<Output = Response<HttpBody>>,
{
    let cors = shared.guard.cors(request.headers());
    let visitor = Visitor::of(shared, peer, &mut request);
    let id = visitor.request_id.clone();
    async move {
        let mut response = contained(pin!(work(request, visitor))).await;
        let headers = response.headers_mut();
        harden(headers);
        if let Some(id) = id {
            headers.insert(&REQUEST_ID, id);
        }
        if let Some(cors) = cors {
            cors.apply(headers);
        }
        response
    }
}

/// A response whose making must not panic. A panic, should there ever be one that was not contained further in, ends as a 500.
async fn contained(mut work: Pin<&mut impl Future<Output = Response<HttpBody>>>) -> Response<HttpBody> {
    poll_fn(|cx| {
        // What the panicking code owns is dropped with it; what is shared is whole after every statement.
        contain(|| work.as_mut().poll(cx)).unwrap_or_else(|panic| {
            let error = ToolError::panicked(panic).into_response("an HTTP request");
            let refusal = Refusal::with(StatusCode::INTERNAL_SERVER_ERROR, error);
            Poll::Ready(refusal.respond(None))
        })
    })
    .await
}

/// Nothing is to be taken for something else than it says, and nothing is to be kept, unless it says otherwise itself. Headers
/// that are about pages have nothing to protect here.
pub(super) fn harden(headers: &mut HeaderMap) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
