//! From an answer to an HTTP response.

use super::events::{self, Events};
use super::listening::Listening;
use super::negotiate::Accept;
use super::queue::Queue;
use super::session::Visit;
use crate::dispatch::{Answer, Standing};
use crate::meter;
use crate::session::StoreError;
use crate::wire::{self, Id, RpcError};
use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use std::borrow::Cow;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Asks proxies to pass every event on as it comes.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The body of a response: JSON, or a stream of events. Dropping the stream of a stateless call, or of a subscription, cancels
/// it.
pub struct HttpBody(Content);

#[allow(dead_code, reason = "what is counted is held, and not looked at")]
enum Content {
    Whole(Bytes),
    Events(Box<Events>, meter::Open),
    Listening(Box<Listening>, meter::Open),
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = match &mut self.get_mut().0 {
            Content::Whole(bytes) => Poll::Ready(Some(std::mem::take(bytes)).filter(|bytes| !bytes.is_empty())),
            Content::Events(events, _) => events.poll_next(cx),
            Content::Listening(listening, _) => listening.poll_next(cx),
        };
        piece.map(|piece| piece.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Content::Whole(bytes) => bytes.is_empty(),
            Content::Events(events, _) => events.is_over(),
            Content::Listening(listening, _) => listening.is_over(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Content::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Content::Events(..) | Content::Listening(..) => SizeHint::default(),
        }
    }
}

impl std::fmt::Debug for HttpBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpBody").finish_non_exhaustive()
    }
}

/// A request that goes no further, and why.
pub(in crate::transport) struct Refusal {
    status: StatusCode,
    error: RpcError,
    allow: Option<&'static str>,
    challenge: Option<HeaderValue>,
}

impl Refusal {
    /// A request that HTTP itself refuses.
    pub(in crate::transport) fn new(status: StatusCode, text: impl Into<Cow<'static, str>>) -> Self {
        Refusal::with(status, RpcError::invalid_request(text))
    }

    /// A request that is refused with this error.
    pub(in crate::transport) fn with(status: StatusCode, error: RpcError) -> Self {
        Refusal { status, error, allow: None, challenge: None }
    }

    /// A method that there is not.
    pub(in crate::transport) fn method(allowed: &'static str) -> Self {
        let refusal = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, format!("the methods here are {allowed}"));
        Refusal { allow: Some(allowed), ..refusal }
    }

    /// A request that is refused until it brings something else in `Authorization`.
    pub(super) fn challenged(status: StatusCode, text: String, challenge: Option<HeaderValue>) -> Self {
        Refusal { challenge, ..Refusal::new(status, text) }
    }

    /// The response, to the request of that id if it has been read.
    pub(in crate::transport) fn respond(&self, id: Option<Id<'_>>) -> Response<HttpBody> {
        meter::refused(self.status);
        let mut response = json(self.status, wire::error(id, &self.error));
        if let Some(allowed) = self.allow {
            response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
        }
        if let Some(challenge) = &self.challenge {
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge.clone());
        }
        response
    }
}

/// A store does not answer. Why is for the log alone.
pub(in crate::transport) fn unavailable(error: StoreError) -> Refusal {
    tracing::error!(%error, "a store of sessions or of events cannot be used");
    let error = RpcError::new(wire::INTERNAL_ERROR, "the server cannot look its sessions up at the moment");
    Refusal::with(StatusCode::SERVICE_UNAVAILABLE, error)
}

/// How the standing of an answer becomes a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Statuses {
    /// Every answer to a request of a session is a success of HTTP: its client looks for errors in the body.
    Session,
    /// A refusal is one of HTTP as well.
    Standing,
}

impl Statuses {
    fn of(self, answer: &Answer) -> StatusCode {
        match (self, answer.standing) {
            _ if answer.lacking.is_some() => StatusCode::FORBIDDEN,
            (Statuses::Session, _) | (_, Standing::Dispatched) => StatusCode::OK,
            (_, Standing::Rejected) => StatusCode::BAD_REQUEST,
            (_, Standing::UnknownMethod) => StatusCode::NOT_FOUND,
            (_, Standing::Crowded) => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// An answer that is there, with the notifications that came before it; `None` for a call that was cancelled. In a session
/// its client can come back for the events.
pub(super) fn answer(
    mut answer: Option<Answer>,
    queue: Option<Arc<Queue>>,
    visit: Option<Visit>,
    accept: Accept,
    statuses: Statuses,
) -> Response<HttpBody> {
    let status = answer.as_ref().map_or(StatusCode::OK, |answer| statuses.of(answer));
    let lacking = answer.as_mut().and_then(|answer| answer.lacking.take());
    let queue = queue.unwrap_or_default();
    let silent = queue.is_empty();
    let as_events = accept.events && (!silent || !accept.json || answer.is_none());
    let mut response = match (answer.map(|answer| answer.body), visit) {
        // What failed as HTTP is read as HTTP: by its body, whatever the client would like.
        (body, Some(visit)) if as_events && status == StatusCode::OK && (body.is_some() || !silent) => {
            queue.finish(body);
            stream(Events::of_stream(queue, visit))
        }
        (body, _) if as_events && status == StatusCode::OK => {
            queue.close();
            events(Content::Whole(events::whole(&queue, queue.take(), body).into()))
        }
        (body, _) => {
            // Nobody will read what is still sent: the log of a session must not keep it either.
            queue.close();
            body.map_or_else(accepted, |body| json(status, body))
        }
    };
    if let Some(lacking) = lacking {
        response.extensions_mut().insert(*lacking);
    }
    response
}

/// A stream of events.
pub(in crate::transport) fn stream(events: Events) -> Response<HttpBody> {
    self::events(Content::Events(Box::new(events), meter::Open::stream()))
}

/// The stream of a subscription.
pub(super) fn listening(listening: Listening) -> Response<HttpBody> {
    events(Content::Listening(Box::new(listening), meter::Open::stream()))
}

fn events(content: Content) -> Response<HttpBody> {
    let mut response = Response::new(HttpBody(content));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

fn json(status: StatusCode, body: Vec<u8>) -> Response<HttpBody> {
    let mut response = whole(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// A response that is there.
pub(super) fn whole(body: Bytes) -> Response<HttpBody> {
    Response::new(HttpBody(Content::Whole(body)))
}

/// A message that wants no answer.
pub(in crate::transport) fn accepted() -> Response<HttpBody> {
    empty(StatusCode::ACCEPTED)
}

/// A response without a body.
pub(in crate::transport) fn empty(status: StatusCode) -> Response<HttpBody> {
    let mut response = whole(Bytes::new());
    *response.status_mut() = status;
    response
}

/// A page that is not here.
pub(in crate::transport) fn not_found(text: &'static str) -> Response<HttpBody> {
    plain(StatusCode::NOT_FOUND, text)
}

/// A text for people and probes.
pub(super) fn plain(status: StatusCode, text: &'static str) -> Response<HttpBody> {
    let mut response = whole(Bytes::from_static(text.as_bytes()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}
