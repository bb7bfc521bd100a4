//! From a message to what is to be sent: the protocol's methods, in both eras.

mod arguments;
mod attempts;
mod batch;
mod handshake;
mod headers;
mod layers;
mod listen;
mod methods;
mod observe;
mod run;
#[cfg(feature = "http")]
mod scopes;
mod stateless;

use crate::ask::{Binding, Outgoing, Rounds, StateKeeper};
use crate::bounds::Bounds;
use crate::contain::contain;
use crate::extract::States;
use crate::handler::BoxFuture;
use crate::registry::{Access, Registry, SharedLimits};
use crate::revision::{self, Caching, Envelope, Identity, Member, Params, Revision};
use crate::session::{Crowd, CrowdByName, Header, Outlet, Peer, RequestHeaders, Subscribers, Subscription};
use crate::wire::{self, Id, RpcError};
use crate::{Principal, ToolError};
pub use layers::{CallRequest, CallResponse, CallService, FunctionKind, Refused};
use methods::Asked;
use observe::Ending;
pub(crate) use observe::{Malformed, REQUEST_ID, Watchers};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// A message whose params are split.
pub(crate) type Message<'a> = wire::Message<'a, Params<'a>>;
type Request<'a> = wire::Request<'a, Params<'a>>;

/// A built server: frozen, shared by all transports.
pub(crate) struct Core {
    pub(crate) registry: Arc<Registry>,
    pub(crate) states: Arc<States>,
    pub(crate) subscribers: Arc<Subscribers>,
    /// How many streams each principal listens to.
    pub(crate) listeners: Arc<CrowdByName>,
    pub(crate) identity: Arc<Identity>,
    pub(crate) instructions: Option<String>,
    pub(crate) caching: Caching,
    /// How long a function may take that does not say so itself.
    pub(crate) timeout: Option<Duration>,
    pub(crate) bounds: Bounds,
    /// The calls that wait for their functions.
    pub(crate) calls: Crowd,
    pub(crate) request_states: StateKeeper,
    pub(crate) watchers: Watchers,
    /// What limits the calls of all functions together.
    pub(crate) shared: Option<Box<SharedLimits>>,
    /// What stands around the calls of functions.
    pub(crate) layers: Option<CallService>,
}

/// What is said of a second request with an id.
const TAKEN: &str = "the id belongs to a request that is still under way";

/// What a transport knows of the message that it brings.
pub(crate) struct Carrier<'a> {
    /// The connection or session; none for a stateless request over HTTP.
    pub(crate) peer: Option<&'a Arc<Peer>>,
    pub(crate) caller: Caller<'a>,
    /// The headers, if the transport has any.
    pub(crate) headers: Option<&'a dyn RequestHeaders>,
    /// Makes the outlet for the notifications of this message's call.
    pub(crate) outlet: &'a dyn Fn() -> Arc<dyn Outlet>,
}

/// Who sends a message.
#[derive(Debug, Clone)]
pub(crate) struct Caller<'a> {
    /// None if it is not known.
    pub(crate) principal: Option<&'a Principal>,
    pub(crate) access: Access,
    /// None if it is not known, or is none.
    pub(crate) address: Option<IpAddr>,
}

impl Caller<'_> {
    /// The process that the server was started by, or is a part of.
    pub(crate) const OWNER: Caller<'static> = Caller { principal: None, access: Access::Whole, address: None };
}

/// What is to be done after a message.
pub(crate) enum Reaction {
    /// Nothing is to be sent.
    Silence,
    /// The answer is there.
    Answer(Answer),
    /// The answer will be there; `None` if the call is cancelled, which must not be answered. Dropping the future cancels
    /// the call as well.
    Later(BoxFuture<Option<Answer>>),
    /// A subscription is to be carried by a stream of its own, until either side ends it. Only where a request comes without
    /// a connection that it shares with others.
    Listen(Arc<Subscription>),
}

/// One response, and what HTTP makes of it.
pub(crate) struct Answer {
    pub(crate) body: Vec<u8>,
    pub(crate) standing: Standing,
    /// For whoever watches.
    ending: Ending,
    /// A layer has found that the caller lacks scopes.
    pub(crate) lacking: Option<Box<Lacking>>,
}

/// Scopes that a request needs, and its caller does not have.
#[derive(Debug, Clone)]
pub(crate) struct Lacking(pub(crate) Vec<String>);

/// How far a request came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It was dispatched.
    Dispatched,
    /// Its envelope was refused.
    Rejected,
    /// There is no such method.
    UnknownMethod,
    /// There is no room for it at the moment.
    Crowded,
}

impl Answer {
    /// The error of a function. A capability that turned out to be missing is the client's to mend: HTTP says so as well.
    fn failure(id: Id<'_>, error: &RpcError) -> Self {
        let missing = error.code == crate::model::MISSING_CAPABILITY;
        Answer::error(Some(id), error, if missing { Standing::Rejected } else { Standing::Dispatched })
    }

    fn ok(body: Vec<u8>) -> Self {
        Answer { body, standing: Standing::Dispatched, ending: Ending::Fine, lacking: None }
    }

    /// A result that tells the model of an error.
    fn tool_error(body: Vec<u8>) -> Self {
        Answer { ending: Ending::ToolError, ..Answer::ok(body) }
    }

    /// An error response.
    pub(crate) fn error(id: Option<Id<'_>>, error: &RpcError, standing: Standing) -> Self {
        Answer { body: wire::error(id, error), standing, ending: Ending::Error(error.code), lacking: None }
    }
}

/// The two eras of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// Revisions with `initialize`.
    Handshake,
    /// Every request stands for itself.
    Stateless,
}

impl Core {
    /// The answer that asks the client, from the questions of a round.
    fn ask_client(
        &self,
        id: Id<'_>,
        revision: Revision,
        rounds: &Rounds,
        binding: &Result<Binding, RpcError>,
    ) -> Answer {
        let Outgoing { asked, memory } = rounds.end();
        let questions: Result<Vec<_>, ToolError> = asked
            .into_iter()
            .map(|(key, question)| Ok((key, question.method(), revision::question_params(revision, &question)?)))
            .collect();
        let sealed = match binding {
            Ok(binding) => self.request_states.seal(memory, binding),
            Err(error) => Err(error.clone()),
        };
        match (questions, sealed) {
            (Ok(questions), Ok(state)) => Answer::ok(wire::result(id, 512, |out| {
                revision::input_required(out, &questions, state.as_deref(), &self.identity);
            })),
            (_, Err(error)) => Answer::error(Some(id), &error, Standing::Dispatched),
            (Err(_), _) => Answer::error(Some(id), &RpcError::internal(), Standing::Dispatched),
        }
    }

    /// Handles one message, or one batch where the peer's revision has them.
    ///
    /// Handlers begin to run inside of this call, so it must be made inside of a runtime.
    pub(crate) fn receive(self: &Arc<Self>, text: &str, carrier: &Carrier<'_>) -> Reaction {
        // Authors' functions are guarded where they run; what else may panic (an author's `Display`, a store) costs one
        // message as well.
        contain(|| self.receive_unguarded(text, carrier)).unwrap_or_else(|panic| {
            let id = match self.parse(text) {
                Ok(Message::Request(request)) => Some(request.id),
                _ => None,
            };
            let error = ToolError::panicked(panic).into_response("a message");
            Reaction::Answer(Answer::error(id, &error, Standing::Dispatched))
        })
    }

    /// Reads one message.
    pub(crate) fn parse<'t>(&self, text: &'t str) -> Result<Message<'t>, wire::Fault<'t>> {
        wire::parse(text, self.bounds.depth)
    }

    fn receive_unguarded(self: &Arc<Self>, text: &str, carrier: &Carrier<'_>) -> Reaction {
        if wire::is_batch(text) {
            return self.receive_batch(text, carrier);
        }
        match self.parse(text) {
            Ok(message) => self.handle(message, carrier),
            Err(fault) => {
                self.unreadable(&fault, text, &carrier.caller, carrier.headers);
                unanswered(&fault, carrier)
            }
        }
    }

    /// Handles one parsed message.
    pub(crate) fn handle(self: &Arc<Self>, message: Message<'_>, carrier: &Carrier<'_>) -> Reaction {
        match message {
            Message::Request(request) => self.observed(&request, carrier, || self.request(&request, carrier)),
            Message::Notification { method, params } => {
                self.notification(&method, &params, carrier);
                Reaction::Silence
            }
            Message::Response(response) => {
                if let (Some(peer), Some(id)) = (carrier.peer, response.id) {
                    peer.asks.resolve(id, response.outcome);
                }
                Reaction::Silence
            }
        }
    }

    fn request(self: &Arc<Self>, request: &Request<'_>, carrier: &Carrier<'_>) -> Reaction {
        let refuse = |error: RpcError| Reaction::Answer(Answer::error(Some(request.id), &error, Standing::Rejected));
        if let Err(error) = request.params.check() {
            return refuse(error);
        }
        if carrier.peer.is_some_and(|peer| peer.is_busy_with(request.id)) {
            return refuse(RpcError::invalid_request(TAKEN));
        }
        match era(&request.params.envelope, carrier) {
            Era::Stateless => self.stateless(request, carrier),
            Era::Handshake => self.handshake(request, carrier),
        }
    }

    fn notification(&self, method: &str, params: &Params<'_>, carrier: &Carrier<'_>) {
        let Some(peer) = carrier.peer else { return };
        match method {
            "notifications/initialized" => {
                if let Some(handshake) = peer.handshake() {
                    peer.news.open(handshake.changes);
                    self.subscribers.add(&peer.news);
                }
            }
            "notifications/cancelled" => {
                let id = params.get(Member::RequestId).and_then(Id::new);
                if let Some(id) = id.filter(|_| params.check().is_ok()) {
                    peer.cancel(id);
                }
            }
            // Unknown notifications are nobody's fault.
            _ => {}
        }
    }
}

/// What becomes of a text that is no message.
fn unanswered(fault: &wire::Fault<'_>, carrier: &Carrier<'_>) -> Reaction {
    let is_heard = carrier.peer.is_none_or(|peer| hears_errors_without_id(peer));
    if carrier.headers.is_none() && fault.id().is_none() && !is_heard {
        tracing::warn!(error = %fault.error(), "a line that is no message was skipped");
        return Reaction::Silence;
    }
    Reaction::Answer(Answer::error(fault.id(), &fault.error(), Standing::Rejected))
}

/// Does the peer know errors without an id? Older ones cannot even parse them.
pub(crate) fn hears_errors_without_id(peer: &Peer) -> bool {
    settled(peer).is_none_or(|revision| revision.features().errors_without_id)
}

/// Which era a request belongs to: its own envelope decides, then the version header.
fn era(envelope: &Envelope<'_>, carrier: &Carrier<'_>) -> Era {
    let header = carrier.headers.and_then(|headers| headers.get(Header::Version).ok().flatten());
    if revision::is_stateless(envelope, header) { Era::Stateless } else { Era::Handshake }
}

/// The era that the version header of an HTTP request names, if it is there; an error if it names none.
pub(crate) fn era_named(headers: &dyn RequestHeaders) -> Result<Option<Era>, RpcError> {
    let name = headers.get(Header::Version);
    let name = name.map_err(|_| RpcError::invalid_request("the version header is repeated or unreadable"))?;
    let Some(name) = name else { return Ok(None) };
    match Revision::from_name(name) {
        Some(revision) if revision.is_stateless() => Ok(Some(Era::Stateless)),
        Some(_) => Ok(Some(Era::Handshake)),
        None => Err(revision::unsupported(name, &Revision::names())),
    }
}

/// The era of an HTTP message before it is handled: a transport with sessions looks one up only for the older era.
pub(crate) fn era_of(message: &Message<'_>, headers: &dyn RequestHeaders) -> Era {
    let header = headers.get(Header::Version).ok().flatten();
    let params = match message {
        Message::Request(request) => Some(&request.params),
        Message::Notification { params, .. } => Some(params),
        Message::Response(_) => None,
    };
    let empty = Envelope::default();
    // What is wrong with params is said where they are used.
    let envelope = params.filter(|params| params.check().is_ok()).map_or(&empty, |params| &params.envelope);
    if revision::is_stateless(envelope, header) { Era::Stateless } else { Era::Handshake }
}

/// The revision that goes with a finished handshake.
pub(crate) fn settled(peer: &Peer) -> Option<Revision> {
    peer.handshake().map(|handshake| handshake.revision)
}
