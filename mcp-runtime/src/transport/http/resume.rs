//! The streams that a client asks for with a GET: the standing one, or one that broke.
//!
//! Source: basic/transports of 2025-11-25, Listening for Messages from the Server, Resumability and Redelivery.

use super::event_id::EventId;
use super::events::Events;
use super::headers::only;
use super::principal::{access, expiry};
use super::queue::Queued;
use super::reply::{self, HttpBody, Refusal, unavailable};
use super::session::{STANDING, Visit};
use crate::Principal;
use crate::session::{BadHeader, StoredEvents};
use http::request::Parts;
use http::{Response, StatusCode};
use std::collections::VecDeque;

/// The header that names the last event that the client has seen.
const LAST_EVENT_ID: &str = "last-event-id";

/// The stream that the request asks for.
pub(super) async fn respond(visit: Visit, parts: &Parts) -> Result<Response<HttpBody>, Refusal> {
    let (headers, principal) = (&parts.headers, parts.extensions.get::<Principal>());
    let last = only(headers, LAST_EVENT_ID);
    let last = last.map_err(|BadHeader| refuse("the header `Last-Event-ID` is repeated or unreadable"))?;
    // An empty id is that of a client which has seen none.
    let events = match last.filter(|last| !last.is_empty()) {
        None => {
            visit.session().peer().news.admit(access(principal));
            Events::of_session(visit)
        }
        Some(last) => {
            let id = EventId::parse(last).filter(|id| id.tag == visit.tag()).ok_or_else(unknown)?;
            if id.stream == STANDING {
                visit.session().peer().news.admit(access(principal));
            }
            resume(visit, id).await?
        }
    };
    Ok(reply::stream(events.until(expiry(principal))))
}

async fn resume(visit: Visit, id: EventId) -> Result<Events, Refusal> {
    Ok(match visit.stream(id.stream) {
        Some(queue) => {
            let (reader, first) = queue.resume(id.position).ok_or_else(unknown)?;
            let missed = missed(&visit, id, first).await?.unwrap_or_default();
            Events::resumed(queue, reader, missed, visit)
        }
        // Its call has been answered, or it never was.
        None => {
            let missed = missed(&visit, id, u64::MAX).await?.ok_or_else(unknown)?;
            Events::rest(id, missed)
        }
    })
}

/// What is kept of a stream between the last event that the client has seen and the first one that waits for it.
async fn missed(visit: &Visit, id: EventId, first: u64) -> Result<Option<VecDeque<Queued>>, Refusal> {
    let kept = visit.events().after(visit.session().id(), id.stream, id.position).await.map_err(unavailable)?;
    let between = |kept: StoredEvents| {
        let kept = kept.into_iter().filter(|(position, _)| *position < first);
        kept.map(|(position, message)| Queued::new(position, message)).collect()
    };
    Ok(kept.map(between))
}

fn refuse(text: &'static str) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, text)
}

fn unknown() -> Refusal {
    refuse("nothing is left of the stream that `Last-Event-ID` names, or it is none of this session")
}
