//! The messages of the client. What answers them goes on the stream.

use super::Shared;
use crate::dispatch::{self, Carrier, Era, Message, Reaction};
use crate::session::Outlet;
use crate::transport::http::headers::Head;
use crate::transport::http::messages::{MAX_INITIALIZE, not_entered};
use crate::transport::http::principal::{caller, principal};
use crate::transport::http::reply::{self, HttpBody, Refusal};
use crate::transport::http::session::{Kind, Visit};
use crate::transport::http::sessions::Sessions;
use crate::transport::http::visitor::Visitor;
use crate::transport::http::{body, endpoint, negotiate};
use crate::wire::{self, Fault, RpcError};
use http::request::Parts;
use http::{HeaderMap, Response, StatusCode, Uri};
use http_body::Body;
use std::sync::Arc;

/// The parameter of the query that names the session.
const SESSION: &str = "sessionId";

/// Can the body be a message?
pub(super) fn check<B: Body>(shared: &Shared, headers: &HeaderMap, body: &B) -> Result<(), Refusal> {
    if !negotiate::brings_json(headers) {
        let text = "the body must be of the type application/json, not encoded any further";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
    }
    match body::exceeds(body, shared.max_body_size) {
        true => Err(endpoint::too_large(shared.max_body_size)),
        false => Ok(()),
    }
}

/// Takes a message in.
pub(super) async fn receive<B: Body>(
    shared: &Shared,
    sessions: &Sessions,
    parts: Parts,
    body: B,
    visitor: &Visitor,
) -> Response<HttpBody> {
    let received = async {
        let bytes = endpoint::read(shared, body, visitor).await?;
        let text = std::str::from_utf8(&bytes).map_err(|_| bad(Fault::NotJson.error()))?;
        let id = session_id(&parts.uri)?;
        let visit = sessions.enter(id, Kind::Sse, principal(&parts.extensions)).await.map_err(not_entered)?;
        take(shared, visit, &parts, visitor, text)
    };
    match received.await {
        Ok(()) => reply::accepted(),
        Err(refusal) => refusal.respond(None),
    }
}

/// The session that the request names.
fn session_id(uri: &Uri) -> Result<&str, Refusal> {
    let pairs = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    let mut ids = pairs.filter(|(name, _)| *name == SESSION).map(|(_, id)| id);
    match (ids.next(), ids.next()) {
        (Some(id), None) => Ok(id),
        _ => Err(bad(RpcError::invalid_request(format!("the query must name the session once, as `{SESSION}`")))),
    }
}

/// One stream may wait for this many answers.
const MAX_CALLS: usize = 256;

/// Hands a message to dispatch. Must be called inside of a runtime.
fn take(shared: &Shared, visit: Visit, parts: &Parts, visitor: &Visitor, text: &str) -> Result<(), Refusal> {
    let peer = visit.session().peer();
    // What answers a question or ends a call gets through all the same.
    let has_room = || match visit.queue().is_full() || peer.in_flight.len() >= MAX_CALLS {
        false => Ok(()),
        true => {
            let text = "so much waits on the stream or is under way that nobody seems to read it";
            Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, text))
        }
    };
    if peer.handshake().is_none() && text.len() > MAX_INITIALIZE {
        return Err(endpoint::too_large(MAX_INITIALIZE));
    }
    let outlet: Arc<dyn Outlet> = Arc::clone(&peer.outlet);
    let headers = &Head::new(&parts.headers);
    let carrier = Carrier {
        peer: Some(peer),
        caller: caller(parts.extensions.get(), visitor),
        headers: Some(headers),
        outlet: &|| Arc::clone(&outlet),
    };
    let stateless = || bad(RpcError::invalid_request("requests without a session do not come this way"));
    let reaction = if wire::is_batch(text) {
        if dispatch::era_named(headers).map_err(bad)? == Some(Era::Stateless) {
            return Err(stateless());
        }
        shared.check_scopes_of_batch(text, &carrier.caller.access)?;
        has_room()?;
        shared.core.receive(text, &carrier)
    } else {
        let message = shared.core.parse(text).map_err(|fault| {
            shared.core.unreadable(&fault, text, &carrier.caller, carrier.headers);
            bad(fault.error())
        })?;
        dispatch::era_named(headers).map_err(bad)?;
        if dispatch::era_of(&message, headers) == Era::Stateless {
            return Err(stateless());
        }
        shared.check_scopes(&message, &carrier.caller.access)?;
        if matches!(message, Message::Request(_)) {
            has_room()?;
        }
        shared.core.handle(message, &carrier)
    };
    match reaction {
        Reaction::Silence | Reaction::Listen(_) => {}
        Reaction::Answer(answer) => _ = outlet.insist(answer.body),
        Reaction::Later(call) => {
            let busy = visit.again();
            shared.tasks.spawn(async move {
                let _busy = busy;
                if let Some(answer) = call.await {
                    outlet.insist(answer.body);
                }
            });
        }
    }
    Ok(())
}

fn bad(error: RpcError) -> Refusal {
    Refusal::with(StatusCode::BAD_REQUEST, error)
}
