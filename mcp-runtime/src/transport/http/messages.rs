//! From the text of a POST to what is done about it: the era decides whether a session is looked up.

use super::Shared;
use super::call::{CallOutlet, Host, Started};
use super::headers::{Head, SESSION_ID};
use super::listening;
use super::negotiate::Accept;
use super::principal::expiry;
use super::reply::{self, HttpBody, Refusal, Statuses, unavailable};
use super::session::{Kind, Session, Visit};
use super::sessions::{NotEntered, NotOpened};
use crate::ToolError;
use crate::dispatch::{self, Answer, Caller, Carrier, Era, Message, Reaction, Standing};
use crate::wire::{self, Id, OwnedId, RpcError};
use http::{HeaderValue, Response, StatusCode};

/// A session keeps what its client tells about itself: that has to be small.
pub(in crate::transport) const MAX_INITIALIZE: usize = 64 * 1024;

/// A message and how it came.
pub(super) struct Arrival<'a> {
    pub(super) shared: &'a Shared,
    pub(super) headers: &'a Head<'a>,
    pub(super) caller: Caller<'a>,
    pub(super) accept: Accept,
    pub(super) text: &'a str,
    /// The session that the request names, or why there is none. Whether it matters depends on the message.
    pub(super) visit: Option<Result<Visit, Refusal>>,
}

/// How far a message got without waiting.
pub(super) enum Reached {
    Started(Started),
    /// A session is to be opened for a handshake that succeeded.
    Handshake(Box<Handshake>),
}

/// A handshake that succeeded.
pub(super) struct Handshake {
    session: Session,
    id: Option<OwnedId>,
    response: Response<HttpBody>,
}

impl Reached {
    /// The response, for a client with the rights of that principal.
    pub(super) async fn finish(self, shared: &Shared, principal: Option<&str>) -> Response<HttpBody> {
        match (self, &shared.sessions) {
            (Reached::Started(started), _) => shared.challenged(started.finish().await),
            (Reached::Handshake(handshake), Some(sessions)) => {
                let Handshake { session, id, mut response } = *handshake;
                let opened = sessions.open(session, principal).await.map_err(not_opened);
                let value = opened.map(|visit| HeaderValue::try_from(visit.session().id()));
                match value {
                    Ok(Ok(value)) => {
                        response.headers_mut().insert(SESSION_ID.clone(), value);
                        response
                    }
                    Ok(Err(_)) => not_opened(NotOpened::NoRandomness).respond(id.as_ref().map(OwnedId::borrow)),
                    Err(refusal) => refusal.respond(id.as_ref().map(OwnedId::borrow)),
                }
            }
            (Reached::Handshake(handshake), None) => handshake.response,
        }
    }
}

impl Arrival<'_> {
    /// Handles the message. Must be called inside of a runtime.
    pub(super) fn start(mut self) -> Reached {
        if wire::is_batch(self.text) {
            return Reached::Started(self.batch().unwrap_or_else(|refusal| refused(&refusal, None)));
        }
        let message = match self.shared.core.parse(self.text) {
            Ok(message) => message,
            Err(fault) => {
                self.shared.core.unreadable(&fault, self.text, &self.caller, Some(self.headers));
                return Reached::Started(refused(&Refusal::with(StatusCode::BAD_REQUEST, fault.error()), fault.id()));
            }
        };
        let id = match &message {
            Message::Request(request) => Some(request.id),
            _ => None,
        };
        if let Err(refusal) = self.shared.check_scopes(&message, &self.caller.access) {
            return Reached::Started(refused(&refusal, id));
        }
        let started = match dispatch::era_of(&message, self.headers) {
            Era::Stateless => self.stateless(message).map(Reached::Started),
            Era::Handshake => self.handshake(message),
        };
        started.unwrap_or_else(|refusal| Reached::Started(refused(&refusal, id)))
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

    fn handshake(&mut self, message: Message<'_>) -> Result<Reached, Refusal> {
        if matches!(&message, Message::Request(request) if request.method == "initialize") {
            return self.initialize(message);
        }
        let session = self.session()?;
        let wants_answer = matches!(message, Message::Request(_));
        let is_response = matches!(message, Message::Response(_));
        let handle = |carrier: &Carrier<'_>| self.shared.core.handle(message, carrier);
        Ok(Reached::Started(match session {
            Some(visit) => self.in_session(visit, Statuses::Session, handle),
            None if wants_answer => self.without_session(handle),
            None if is_response => {
                return Err(bad(RpcError::invalid_request("nothing was asked outside of a session")));
            }
            // It cannot do anything, and its sender will be told so when it asks for something.
            None => Started::Answered(reply::accepted()),
        }))
    }

    /// Arrays are for dispatch to judge, which knows the session's revision.
    fn batch(&mut self) -> Result<Started, Refusal> {
        let session = match dispatch::era_named(self.headers).map_err(bad)? {
            Some(Era::Stateless) => None,
            _ => self.session()?,
        };
        self.shared.check_scopes_of_batch(self.text, &self.caller.access)?;
        let receive = |carrier: &Carrier<'_>| self.shared.core.receive(self.text, carrier);
        Ok(match session {
            Some(visit) => self.in_session(visit, Statuses::Standing, receive),
            None => self.without_session(receive),
        })
    }

    /// The session that the request names; `None` if it names none or there are no sessions at all.
    fn session(&mut self) -> Result<Option<Visit>, Refusal> {
        self.visit.take().transpose()
    }

    /// Prepares a session, if the handshake succeeds. An id that comes along belongs to a session that the client has given
    /// up.
    fn initialize(&self, message: Message<'_>) -> Result<Reached, Refusal> {
        let id = match &message {
            Message::Request(request) => Some(OwnedId::from(request.id)),
            _ => None,
        };
        let handle = |carrier: &Carrier<'_>| self.shared.core.handle(message, carrier);
        let Some(sessions) = &self.shared.sessions else { return Ok(Reached::Started(self.without_session(handle))) };
        if self.text.len() > MAX_INITIALIZE {
            let text = format!("an `initialize` request has at most {MAX_INITIALIZE} bytes");
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, text));
        }
        let session = sessions.prepare(Kind::Streamable, &self.caller).map_err(not_opened)?;
        let outlet = CallOutlet::new(self.accept, None);
        let headers = Some(self.headers as _);
        let reaction = handle(&Carrier {
            peer: Some(session.peer()),
            caller: self.caller.clone(),
            headers,
            outlet: &|| outlet.get(),
        });
        let started = Started::of(reaction, outlet.into_queue(), None, self.accept, Statuses::Session);
        Ok(match started {
            Started::Answered(response) if session.peer().handshake().is_some() => {
                Reached::Handshake(Box::new(Handshake { session, id, response }))
            }
            started => Reached::Started(started),
        })
    }

    fn without_session(&self, receive: impl FnOnce(&Carrier<'_>) -> Reaction) -> Started {
        let outlet = CallOutlet::new(self.accept, None);
        let (caller, headers) = (self.caller.clone(), Some(self.headers as _));
        let reaction = receive(&Carrier { peer: None, caller, headers, outlet: &|| outlet.get() });
        match reaction {
            Reaction::Listen(subscription) => Started::Answered(listening::start(
                self.shared,
                self.accept,
                subscription,
                expiry(self.caller.principal),
            )),
            reaction => Started::of(reaction, outlet.into_queue(), None, self.accept, Statuses::Standing),
        }
    }

    /// What is not answered at once runs in a task of its own: this era's calls outlive their connections.
    fn in_session(&self, visit: Visit, statuses: Statuses, receive: impl FnOnce(&Carrier<'_>) -> Reaction) -> Started {
        let outlet = CallOutlet::new(self.accept, Some(&visit));
        let peer = Some(visit.session().peer());
        let (caller, headers) = (self.caller.clone(), Some(self.headers as _));
        let reaction = match receive(&Carrier { peer, caller, headers, outlet: &|| outlet.get() }) {
            Reaction::Later(call) => {
                let busy = visit.again();
                let task = self.shared.tasks.spawn(async move {
                    let _busy = busy;
                    call.await
                });
                Reaction::Later(Box::pin(async move {
                    task.await.unwrap_or_else(|task| {
                        let error = ToolError::unfinished(task).into_response("a call");
                        Some(Answer::error(None, &error, Standing::Dispatched))
                    })
                }))
            }
            other => other,
        };
        let queue = outlet.into_queue();
        let host = Host { visit, tasks: self.shared.tasks.clone() };
        Started::of(reaction, queue, Some(host), self.accept, statuses)
    }
}

fn refused(refusal: &Refusal, id: Option<Id<'_>>) -> Started {
    Started::Answered(refusal.respond(id))
}

fn bad(error: RpcError) -> Refusal {
    Refusal::with(StatusCode::BAD_REQUEST, error)
}

/// The session has ended, or never was.
fn unknown_session() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "there is no such session (any more): call `initialize` again")
}

/// There is no such session for whom the request comes from.
pub(in crate::transport) fn not_entered(why: NotEntered) -> Refusal {
    match why {
        NotEntered::Unknown => unknown_session(),
        NotEntered::Store(error) => unavailable(error),
    }
}

pub(in crate::transport) fn not_opened(why: NotOpened) -> Refusal {
    let text = match why {
        NotOpened::Full => "the server has no room for another session: try again later",
        NotOpened::FullForPrincipal => "there are too many sessions of this client already: end one first",
        NotOpened::NoRandomness => "the server could not make a session id",
        NotOpened::Store(error) => return unavailable(error),
    };
    tracing::warn!(reason = text, "a session was not opened");
    Refusal::with(StatusCode::SERVICE_UNAVAILABLE, RpcError::new(wire::INTERNAL_ERROR, text))
}
