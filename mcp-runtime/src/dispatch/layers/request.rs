//! A request to a function, as layers see it: all of it, and to be kept for as long as they like.

use crate::contain::contain;
use crate::dispatch::methods::{Asked, Shared};
use crate::dispatch::observe::{Named, named};
use crate::dispatch::{Answer, Caller, Carrier, Core, Reaction, Standing};
use crate::model::Meta;
use crate::registry::Access;
use crate::revision::{OwnedParams, Revision};
use crate::session::{Header, LevelSource, Outlet, Peer, RequestHeaders, Said};
use crate::trace_context::TraceContext;
use crate::wire::{Json, OwnedId, OwnedJson, RpcError};
use crate::{Principal, ToolError, revision::Member};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

/// A request to a function on its way through the [layers](crate::Server::layer) of a server: `tools/call`, `resources/read`,
/// `prompts/get` or `completion/complete`, of any revision and from any transport.
///
/// It can be read, kept, and sent on later; cloning is cheap. What it says cannot be changed: the checks behind the layers, and the
/// sealed state of calls that ask the client, are about what the client has sent.
#[derive(Clone)]
pub struct CallRequest(Arc<Inner>);

/// What a function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// A `#[mcp_tool]`.
    Tool,
    /// A `#[mcp_resource]`.
    Resource,
    /// A `#[mcp_prompt]`.
    Prompt,
}

struct Inner {
    /// A number that no other request of this process has: responses say whose they are.
    number: u64,
    /// Cancelled with the end of the request, whatever tasks layers have put it into.
    life: CancellationToken,
    /// The server and the session do not live for the sake of a request that a layer keeps.
    core: Weak<Core>,
    method: Shared,
    id: OwnedId,
    revision: Revision,
    params: OwnedParams,
    level: LevelSource,
    client_info: Option<OwnedJson>,
    capabilities: Option<OwnedJson>,
    session: Option<(u64, Weak<Peer>)>,
    principal: Option<Principal>,
    access: Access,
    address: Option<IpAddr>,
    headers: Option<Arc<dyn RequestHeaders>>,
    outlet: Arc<dyn Outlet>,
    /// The progress that the client has been told of, however often layers try the call.
    said: Said,
    /// The span of the request: layers may go on in another task.
    span: Span,
    function: Option<Named>,
    name: Option<String>,
    is_resumed: bool,
    arguments: OnceLock<Value>,
    meta: OnceLock<Meta>,
    /// Somebody has looked at arguments or `_meta` that cannot be shown as a value.
    was_unreadable: AtomicBool,
}

impl CallRequest {
    /// The request, which is over when `life` is cancelled.
    pub(super) fn new(core: &Arc<Core>, method: Shared, asked: &Asked<'_>, life: CancellationToken) -> Self {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let Carrier { peer, caller, headers, outlet } = asked.carrier;
        let (function, name) = match method {
            Shared::Complete => {
                let reference = asked.reference();
                (
                    reference.as_ref().and_then(|reference| reference.named(core, &caller.access)),
                    reference.and_then(|r| r.target()),
                )
            }
            _ => {
                let member = if matches!(method, Shared::ReadResource) { Member::Uri } else { Member::Name };
                let name = asked.params.text(member).ok().map(|name| name.into_owned());
                (named(method.name(), &core.registry, asked.params, &caller.access), name)
            }
        };
        CallRequest(Arc::new(Inner {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            life,
            core: Arc::downgrade(core),
            method,
            id: asked.id.into(),
            revision: asked.revision,
            params: asked.params.to_owned(),
            level: asked.level.clone(),
            client_info: asked.client_info.map(Json::to_owned),
            capabilities: asked.capabilities.map(Json::to_owned),
            session: peer.map(|peer| (peer.number(), Arc::downgrade(peer))),
            principal: caller.principal.cloned(),
            access: caller.access.clone(),
            address: caller.address,
            headers: headers.map(RequestHeaders::snapshot),
            outlet: outlet(),
            said: Said::default(),
            span: Span::current(),
            function,
            name,
            is_resumed: asked.is_resumed(),
            arguments: OnceLock::new(),
            meta: OnceLock::new(),
            was_unreadable: AtomicBool::new(false),
        }))
    }

    pub(super) fn number(&self) -> u64 {
        self.0.number
    }

    /// The method: `tools/call`, `resources/read`, `prompts/get`, or `completion/complete` (values for an argument of a prompt or a
    /// variable of a resource).
    #[must_use]
    pub fn method(&self) -> &'static str {
        self.0.method.name()
    }

    /// The function that the request is about, by its name; `None` if there is none of that name for the caller.
    #[must_use]
    pub fn function(&self) -> Option<&'static str> {
        self.0.function.map(Named::name)
    }

    /// What that function is; `None` if there is none.
    #[must_use]
    pub fn kind(&self) -> Option<FunctionKind> {
        self.0.function.map(|function| match function {
            Named::Tool(_) => FunctionKind::Tool,
            Named::Resource(_) => FunctionKind::Resource,
            Named::Prompt(_) => FunctionKind::Prompt,
        })
    }

    /// The name, or the URI of a resource, as the client has written it, whether there is such a function or not; `None` if the
    /// request has none. It is a text of the client: of any length, and no name for a metric.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// The arguments as the client has sent them, not checked yet: an object, or `null` where there are none (resources have a
    /// [`name`](Self::name)). Read when this is called for the first time.
    ///
    /// JSON can say what no [`Value`] holds: `1e999`, half of a surrogate pair, more than 127 levels. Then this is `null`, and the
    /// request is refused behind the layers: no function runs with arguments that a policy has looked at and not seen.
    #[must_use]
    pub fn arguments(&self) -> &Value {
        self.0.arguments.get_or_init(|| self.0.read(self.0.params.borrow().get(Member::Arguments)))
    }

    /// The request's `_meta`, empty if there is none. Read when this is called for the first time; what cannot be read is as it is
    /// with [`arguments`](Self::arguments).
    #[must_use]
    pub fn meta(&self) -> &Meta {
        self.0.meta.get_or_init(|| self.0.read(self.0.params.meta()))
    }

    /// The trace that the request is a part of, if its `_meta` says so.
    #[must_use]
    pub fn trace_context(&self) -> Option<TraceContext<'_>> {
        TraceContext::of(self.0.params.meta())
    }

    /// On whose behalf the request comes; `None` if nothing has authenticated it.
    #[must_use]
    pub fn principal(&self) -> Option<&Principal> {
        self.0.principal.as_ref()
    }

    /// The address from which the request comes, if it came over HTTP and the address is known: see
    /// `Server::trusted_proxies`.
    #[must_use]
    pub fn client_address(&self) -> Option<IpAddr> {
        self.0.address
    }

    /// A number of the session or connection that the request comes from, which no other one of this process has; `None` for
    /// requests over HTTP that stand for themselves.
    #[must_use]
    pub fn session(&self) -> Option<u64> {
        self.0.session.as_ref().map(|(number, _)| *number)
    }

    /// A header of the HTTP request, if it came over HTTP and has exactly one such header of readable text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.0.headers.as_ref()?.get(Header::Other(name)).ok().flatten()
    }

    /// Name and version of the client, as it told them (unverified): `clientInfo` of the request or of the handshake.
    #[must_use]
    pub fn client_info(&self) -> Option<Value> {
        self.0.client_info.as_ref().and_then(|info| info.borrow().decode().ok())
    }

    /// The protocol revision that the client speaks, for example `2026-07-28`.
    #[must_use]
    pub fn protocol_version(&self) -> &'static str {
        self.0.revision.as_str()
    }

    /// Does the client go on with a call that has asked it something? Each round of such a call is a request. (That there was an
    /// earlier one is the client's word here: its state is opened behind the layers.)
    #[must_use]
    pub fn is_resumed(&self) -> bool {
        self.0.is_resumed
    }

    /// Runs the function, for as long as the request lives.
    pub(super) async fn run(self) -> Answer {
        let inner = &*self.0;
        let answered = inner.life.run_until_cancelled(inner.run()).await;
        answered.unwrap_or_else(|| inner.refuse(&RpcError::internal()))
    }
}

impl Inner {
    /// Reads what the client has sent as a value; nothing of it if there is none, or if it is none.
    fn read<T: DeserializeOwned + Default>(&self, json: Option<Json<'_>>) -> T {
        let read = json.map(Json::decode::<T>).transpose();
        read.unwrap_or_else(|_| {
            self.was_unreadable.store(true, Ordering::Relaxed);
            None
        })
        .unwrap_or_default()
    }

    fn refuse(&self, error: &RpcError) -> Answer {
        Answer::error(Some(self.id.borrow()), error, Standing::Dispatched)
    }

    async fn run(&self) -> Answer {
        let failed = || self.refuse(&RpcError::internal());
        if self.was_unreadable.load(Ordering::Relaxed) {
            return self
                .refuse(&RpcError::invalid_params("the arguments or `_meta` hold what cannot be read as a value"));
        }
        // Functions are guarded where they run; what else may panic has to look to layers as it does to clients.
        match contain(|| self.span.in_scope(|| self.react())) {
            Ok(Some(Reaction::Answer(answer))) => answer,
            Ok(Some(Reaction::Later(answer))) => answer.instrument(self.span.clone()).await.unwrap_or_else(failed),
            Ok(Some(Reaction::Silence | Reaction::Listen(_)) | None) => failed(),
            Err(panic) => self.refuse(&ToolError::panicked(panic).into_response(self.method.name())),
        }
    }

    /// Nothing if the server or the session is no more.
    fn react(&self) -> Option<Reaction> {
        let core = self.core.upgrade()?;
        let peer = match &self.session {
            Some((_, peer)) => Some(peer.upgrade()?),
            None => None,
        };
        let params = self.params.borrow();
        let carrier = Carrier {
            peer: peer.as_ref(),
            caller: Caller { principal: self.principal.as_ref(), access: self.access.clone(), address: self.address },
            headers: self.headers.as_deref().map(|headers| headers as &dyn RequestHeaders),
            outlet: &|| Arc::clone(&self.outlet),
        };
        let asked = Asked {
            id: self.id.borrow(),
            revision: self.revision,
            params: &params,
            level: self.level.clone(),
            client_info: self.client_info.as_ref().map(OwnedJson::borrow),
            capabilities: self.capabilities.as_ref().map(OwnedJson::borrow),
            carrier: &carrier,
            layered: Some(&self.said),
        };
        Some(core.function(self.method, &asked))
    }
}

impl fmt::Debug for CallRequest {
    /// Without anything that a client has chosen.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallRequest")
            .field("method", &self.method())
            .field("function", &self.function())
            .field("principal", &self.principal())
            .finish_non_exhaustive()
    }
}
