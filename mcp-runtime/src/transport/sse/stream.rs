//! The stream, which is the session.

use super::Shared;
use crate::Principal;
use crate::transport::http::events::Events;
use crate::transport::http::messages::not_opened;
use crate::transport::http::negotiate::Accept;
use crate::transport::http::principal::{access, caller, expiry, principal};
use crate::transport::http::reply::{self, HttpBody, Refusal};
use crate::transport::http::session::{Kind, Visit};
use crate::transport::http::sessions::Sessions;
use crate::transport::http::visitor::Visitor;
use http::request::Parts;
use http::{HeaderMap, Response, StatusCode};
use std::sync::Arc;
use tokio::runtime::Handle;

/// Can the client read a stream?
pub(super) fn check(headers: &HeaderMap) -> Result<(), Refusal> {
    match Accept::of(headers).events {
        true => Ok(()),
        false => Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, "the client must accept text/event-stream")),
    }
}

/// Opens a session with its stream.
pub(super) async fn open(
    shared: &Arc<Shared>,
    sessions: &Sessions,
    parts: &Parts,
    visitor: &Visitor,
) -> Result<Response<HttpBody>, Refusal> {
    let session = sessions.prepare(Kind::Sse, &caller(parts.extensions.get(), visitor)).map_err(not_opened)?;
    let visit = sessions.open(session, principal(&parts.extensions)).await.map_err(not_opened)?;
    let opening = format!("event: endpoint\ndata: {}\n\n", target(shared.sse_prefix.as_deref(), visit.session().id()));
    let end = Hangup { shared: Arc::clone(shared), visit: visit.again() };
    let principal = parts.extensions.get::<Principal>();
    visit.session().peer().news.admit(access(principal));
    Ok(reply::stream(Events::of_connection(opening.into_bytes(), visit, end).until(expiry(principal))))
}

/// Where messages go. Neither host nor scheme is ever part of it: what a request says of them is not to be believed. Without
/// a prefix it is relative to the path of the stream, as the client knows that path.
fn target(prefix: Option<&str>, session: &str) -> String {
    let base = prefix.map(|prefix| format!("{}/", prefix.trim_end_matches('/'))).unwrap_or_default();
    format!("{base}messages?sessionId={session}")
}

/// Ends the session when the stream ends, by whichever side.
struct Hangup {
    shared: Arc<Shared>,
    visit: Visit,
}

impl Drop for Hangup {
    fn drop(&mut self) {
        let (shared, visit) = (Arc::clone(&self.shared), self.visit.again());
        // Without a runtime nothing of the session goes on, and it will end by its idle timeout.
        let Ok(runtime) = Handle::try_current() else { return };
        runtime.spawn(async move {
            let Some(sessions) = &shared.sessions else { return };
            if let Err(error) = sessions.end(&visit).await {
                tracing::warn!(%error, "the end of a session was not stored");
            }
        });
    }
}
