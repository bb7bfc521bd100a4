//! From the text of a POST to what is done about it: the era decides whether a session is looked up.

use super::Shared;
use super::call::{CallOutlet, Started};
use super::headers::{SESSION_ID, session_id};
use super::listening;
use super::negotiate::Accept;
use super::reply::{self, Refusal, Statuses};
use super::sessions::{NotOpened, Session, Visit};
use crate::dispatch::{self, Answer, Carrier, Era, Reaction, Standing};
use crate::session::Peer;
use crate::wire::{self, Id, Message, RpcError};
use http::{HeaderMap, HeaderValue, StatusCode};
use std::sync::Arc;

/// A session keeps what its client tells about itself: that has to be small.
const MAX_INITIALIZE: usize = 256 * 1024;

/// A message and how it came.
pub(super) struct Arrival<'a> {
    pub(super) shared: &'a Shared,
    pub(super) headers: &'a HeaderMap,
    pub(super) accept: Accept,
    pub(super) text: &'a str,
}

impl Arrival<'_> {
    /// Handles the message. Must be called inside of a runtime.
    pub(super) fn start(&self) -> Started {
        if wire::is_batch(self.text) {
            return self.batch().unwrap_or_else(|refusal| refused(&refusal, None));
        }
        let message = match wire::parse(self.text) {
            Ok(message) => message,
            Err(fault) => return refused(&Refusal::with(StatusCode::BAD_REQUEST, fault.error()), fault.id()),
        };
        let id = match &message {
            Message::Request(request) => Some(request.id),
            _ => None,
        };
        let started = match dispatch::era_of(&message, self.headers) {
            Era::Stateless => self.stateless(message),
            Era::Handshake => self.handshake(message),
        };
        started.unwrap_or_else(|refusal| refused(&refusal, id))
    }

    fn stateless(&self, message: Message<'_>) -> Result<Started, Refusal> {
        match message {
            Message::Request(_) => Ok(self.without_session(|carrier| self.shared.core.handle(message, carrier))),
            Message::Notification { .. } => {
                // Notifications have no envelope: their header is all that tells the revision.
                dispatch::era_named(self.headers).map_err(bad)?;
                Ok(Started::Answered(reply::accepted()))
            }
            Message::Response(_) => Err(bad(RpcError::invalid_request("responses are not part of this revision"))),
        }
    }

    fn handshake(&self, message: Message<'_>) -> Result<Started, Refusal> {
        if matches!(&message, Message::Request(request) if request.method == "initialize") {
            return self.initialize(message);
        }
        let session = self.session()?;
        let wants_answer = matches!(message, Message::Request(_));
        let is_response = matches!(message, Message::Response(_));
        let handle = |carrier: &Carrier<'_>| self.shared.core.handle(message, carrier);
        match session {
            Some(visit) => Ok(self.in_session(visit, Statuses::Session, handle)),
            None if wants_answer => Ok(self.without_session(handle)),
            None if is_response => Err(bad(RpcError::invalid_request("nothing was asked outside of a session"))),
            // It cannot do anything, and its sender will be told so when it asks for something.
            None => Ok(Started::Answered(reply::accepted())),
        }
    }

    /// Arrays are for dispatch to judge, which knows the session's revision.
    fn batch(&self) -> Result<Started, Refusal> {
        let receive = |carrier: &Carrier<'_>| self.shared.core.receive(self.text, carrier);
        let session = match dispatch::era_named(self.headers).map_err(bad)? {
            Some(Era::Stateless) => None,
            _ => self.session()?,
        };
        Ok(match session {
            Some(visit) => self.in_session(visit, Statuses::Standing, receive),
            None => self.without_session(receive),
        })
    }

    /// The session that the request names; `None` if it names none or there are no sessions at all.
    fn session(&self) -> Result<Option<Visit>, Refusal> {
        let Some(sessions) = &self.shared.sessions else { return Ok(None) };
        let Some(id) = session_id(self.headers)? else { return Ok(None) };
        sessions.visit(id).map(Some).ok_or_else(unknown_session)
    }

    /// Opens a session, if the handshake succeeds. An id that comes along belongs to a session that the client has given up.
    fn initialize(&self, message: Message<'_>) -> Result<Started, Refusal> {
        let handle = |carrier: &Carrier<'_>| self.shared.core.handle(message, carrier);
        let Some(sessions) = &self.shared.sessions else { return Ok(self.without_session(handle)) };
        if self.text.len() > MAX_INITIALIZE {
            let text = format!("an `initialize` request has at most {MAX_INITIALIZE} bytes");
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, text));
        }
        let session = Session::new();
        let started = self.carry(Some(session.peer()), Statuses::Session, handle);
        let Started::Answered(mut response) = started else { return Ok(started) };
        if session.peer().handshake().is_some() {
            let id = sessions.open(session).map_err(not_opened)?;
            let id = HeaderValue::try_from(id).map_err(|_| not_opened(NotOpened::NoRandomness))?;
            response.headers_mut().insert(SESSION_ID, id);
        }
        Ok(Started::Answered(response))
    }

    fn without_session(&self, receive: impl FnOnce(&Carrier<'_>) -> Reaction) -> Started {
        self.carry(None, Statuses::Standing, receive)
    }

    /// What is not answered at once runs in a task of its own: this era's calls outlive their connections.
    fn in_session(&self, visit: Visit, statuses: Statuses, receive: impl FnOnce(&Carrier<'_>) -> Reaction) -> Started {
        let peer = Arc::clone(visit.peer());
        self.carry(Some(&peer), statuses, |carrier| match receive(carrier) {
            Reaction::Later(call) => {
                let task = self.shared.tasks.spawn(async move {
                    let _busy = visit;
                    call.await
                });
                Reaction::Later(Box::pin(async move {
                    let lost = |_| Some(Answer::error(None, &RpcError::internal(), Standing::Dispatched));
                    task.await.unwrap_or_else(lost)
                }))
            }
            other => other,
        })
    }

    fn carry(
        &self,
        peer: Option<&Arc<Peer>>,
        statuses: Statuses,
        receive: impl FnOnce(&Carrier<'_>) -> Reaction,
    ) -> Started {
        let outlet = CallOutlet::new(self.accept);
        let reaction = receive(&Carrier { peer, headers: Some(self.headers), outlet: &|| outlet.get() });
        match reaction {
            Reaction::Listen(subscription) => {
                Started::Answered(listening::start(self.shared, self.accept, subscription))
            }
            reaction => outlet.conclude(reaction, statuses),
        }
    }
}

fn refused(refusal: &Refusal, id: Option<Id<'_>>) -> Started {
    Started::Answered(refusal.respond(id))
}

fn bad(error: RpcError) -> Refusal {
    Refusal::with(StatusCode::BAD_REQUEST, error)
}

/// The session has ended, or never was.
pub(super) fn unknown_session() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "there is no such session (any more): call `initialize` again")
}

fn not_opened(why: NotOpened) -> Refusal {
    let text = match why {
        NotOpened::Full => "the server has no room for another session: try again later",
        NotOpened::NoRandomness => "the server could not make a session id",
    };
    tracing::warn!(reason = ?why, "a session was not opened");
    Refusal::with(StatusCode::SERVICE_UNAVAILABLE, RpcError::new(wire::INTERNAL_ERROR, text))
}
