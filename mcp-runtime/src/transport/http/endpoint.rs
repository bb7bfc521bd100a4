//! One request, from its head to its response.

use super::call::Started;
use super::headers::Head;
use super::messages::{Arrival, Reached, not_entered};
use super::negotiate::{self, Accept};
use super::principal::{caller, principal};
use super::reply::{self, HttpBody, Refusal, unavailable};
use super::session::{Kind, Visit};
use super::sessions::Sessions;
use super::visitor::Visitor;
use super::{Shared, body, cors, front, resume};
use crate::Principal;
use crate::dispatch::{self, Era};
use crate::wire::{self, RpcError};
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use http_body::Body;
use std::future::Future;
use std::net::IpAddr;

/// Answers a request.
pub(super) fn respond<B>(
    shared: &Shared,
    peer: Option<IpAddr>,
    request: Request<B>,
) -> impl Future<Output = Response<HttpBody>>
where
    B: Body + Send + 'static,
{
    front::respond(shared, peer, request, move |request, visitor| route(shared, request, visitor))
}

fn route<B>(shared: &Shared, request: Request<B>, visitor: Visitor) -> impl Future<Output = Response<HttpBody>>
where
    B: Body + Send + 'static,
{
    let (mut parts, body) = request.into_parts();
    async move {
        if let Some(page) = shared.page(&parts.method, parts.uri.path()) {
            return page;
        }
        let admitted = shared.admit(&mut parts, &visitor).await;
        let refused = |refusal: Refusal| refusal.respond(None);
        match admitted.and_then(|()| Errand::of(shared, &parts, &body)) {
            Ok(Errand::Post(accept)) => post(shared, parts, body, accept, &visitor).await,
            Ok(Errand::Get(sessions)) => get(sessions, &parts).await.unwrap_or_else(refused),
            Ok(Errand::Preflight(methods)) => cors::preflight(&parts.headers, methods),
            Ok(Errand::Delete(sessions)) => delete(sessions, &parts).await.unwrap_or_else(refused),
            Err(refusal) => {
                body::discard_later(&parts.headers, body);
                refused(refusal)
            }
        }
    }
}

/// What a request that may come in wants.
enum Errand<'s> {
    Post(Accept),
    Get(&'s Sessions),
    Delete(&'s Sessions),
    /// A browser asks what it may send. These are the methods.
    Preflight(&'static str),
}

impl<'s> Errand<'s> {
    /// Judges everything that can be judged by the head alone.
    fn of<B: Body>(shared: &'s Shared, parts: &Parts, body: &B) -> Result<Self, Refusal> {
        let accept = Accept::of(&parts.headers);
        let acceptable = |fits: bool, types: &str| match fits {
            true => Ok(()),
            false => Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, format!("the client must accept {types}"))),
        };
        match (&parts.method, &shared.sessions) {
            (&Method::POST, _) => {
                if !negotiate::brings_json(&parts.headers) {
                    let text = "the body must be of the type application/json, not encoded any further";
                    return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
                }
                acceptable(accept.json || accept.events, "application/json and text/event-stream")?;
                match body::exceeds(body, shared.max_body_size) {
                    true => Err(too_large(shared.max_body_size)),
                    false => Ok(Errand::Post(accept)),
                }
            }
            (&Method::GET, Some(sessions)) => {
                acceptable(accept.events, "text/event-stream")?;
                Ok(Errand::Get(sessions))
            }
            (&Method::DELETE, Some(sessions)) => Ok(Errand::Delete(sessions)),
            (_, sessions) => {
                let methods = if sessions.is_some() { "GET, POST, DELETE" } else { "POST" };
                shared.guard.other_method(parts, methods).map(Errand::Preflight)
            }
        }
    }
}

#[expect(clippy::manual_async_fn, reason = "see `front::respond`")]
fn post<B: Body>(
    shared: &Shared,
    parts: Parts,
    body: B,
    accept: Accept,
    visitor: &Visitor,
) -> impl Future<Output = Response<HttpBody>> {
    async move {
        let bytes = match read(shared, body, visitor).await {
            Ok(bytes) => bytes,
            Err(refusal) => return refusal.respond(None),
        };
        let headers = Head::new(&parts.headers);
        let visit = visit(shared, &parts, &headers).await;
        let principal = parts.extensions.get::<Principal>().cloned();
        let reached = match std::str::from_utf8(&bytes) {
            Ok(text) => {
                let caller = caller(principal.as_ref(), visitor);
                Arrival { shared, headers: &headers, caller, accept, text, visit }.start()
            }
            Err(_) => {
                let refusal = Refusal::with(StatusCode::BAD_REQUEST, wire::Fault::NotJson.error());
                Reached::Started(Started::Answered(refusal.respond(None)))
            }
        };
        // A call may take long: nothing of the request is kept for it that it does not own.
        drop((parts, bytes));
        reached.finish(shared, principal.as_ref().map(Principal::as_str)).await
    }
}

/// The body of a request.
pub(in crate::transport) async fn read<B: Body>(
    shared: &Shared,
    body: B,
    visitor: &Visitor,
) -> Result<body::Message, Refusal> {
    let (size, patience) = (shared.max_body_size, shared.connections.body_timeout);
    let read =
        body::read(body, body::Allowance { size, patience, memory: &shared.body_memory, client: visitor.address });
    read.await.map_err(|fault| match fault {
        body::Fault::TooLarge => too_large(shared.max_body_size),
        body::Fault::NoMemory => {
            let text = "the server is reading as much as it may read at once, from this client or from all";
            Refusal::with(StatusCode::SERVICE_UNAVAILABLE, RpcError::new(wire::INTERNAL_ERROR, text))
        }
        body::Fault::TooSlow => Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time"),
        body::Fault::Broken => Refusal::new(StatusCode::BAD_REQUEST, "the body broke off"),
    })
}

/// The session that a message names, if its revision can have one.
async fn visit(shared: &Shared, parts: &Parts, headers: &Head<'_>) -> Option<Result<Visit, Refusal>> {
    let sessions = shared.sessions.as_ref()?;
    if let Ok(Some(Era::Stateless)) = dispatch::era_named(headers) {
        return None;
    }
    match headers.session_id().transpose()? {
        Ok(id) => Some(enter(sessions, id, parts).await),
        Err(refusal) => Some(Err(refusal)),
    }
}

async fn enter(sessions: &Sessions, id: &str, parts: &Parts) -> Result<Visit, Refusal> {
    sessions.enter(id, Kind::Streamable, principal(&parts.extensions)).await.map_err(not_entered)
}

pub(in crate::transport) fn too_large(limit: usize) -> Refusal {
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("a message has at most {limit} bytes"))
}

/// A stream of a session.
async fn get(sessions: &Sessions, parts: &Parts) -> Result<Response<HttpBody>, Refusal> {
    let visit = enter(sessions, named_session(&Head::new(&parts.headers))?, parts).await?;
    resume::respond(visit, parts).await
}

/// The end of a session.
async fn delete(sessions: &Sessions, parts: &Parts) -> Result<Response<HttpBody>, Refusal> {
    let visit = enter(sessions, named_session(&Head::new(&parts.headers))?, parts).await?;
    sessions.end(&visit).await.map_err(unavailable)?;
    Ok(reply::empty(StatusCode::NO_CONTENT))
}

/// The session that a request without a body is about: there must be one, and the revision must have sessions.
fn named_session<'h>(headers: &Head<'h>) -> Result<&'h str, Refusal> {
    match dispatch::era_named(headers) {
        Ok(Some(Era::Stateless)) => return Err(Refusal::method("POST")),
        Ok(_) => {}
        Err(error) => return Err(Refusal::with(StatusCode::BAD_REQUEST, error)),
    }
    let missing = || Refusal::new(StatusCode::BAD_REQUEST, "the header `Mcp-Session-Id` is missing");
    headers.session_id()?.ok_or_else(missing)
}
