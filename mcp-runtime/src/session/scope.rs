//! One request under way, borrowed from its message. A [`Context`] is made of it only when a function takes one.

use super::{LevelSource, Outlet, Peer, RequestHeaders, Said, Subscribers, Voice};
use crate::Principal;
use crate::ask::{Asking, Rounds};
use crate::client_logs;
use crate::extract::{Context, ContextInner, States};
use crate::registry::Registry;
use crate::revision::Revision;
use crate::wire::{Json, OwnedJson};
use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use tokio_util::sync::CancellationToken;

/// Where the questions of a request go.
pub(crate) enum ScopeAsking<'a> {
    /// It must not ask any.
    Nowhere,
    /// To the client of the session.
    Session(&'a Arc<Peer>),
    /// Into the result; the rounds are there already when this is not the first one.
    Rounds(Option<Arc<Rounds>>),
}

/// The request.
pub(crate) struct Scope<'a> {
    pub(crate) states: &'a Arc<States>,
    pub(crate) registry: &'a Arc<Registry>,
    pub(crate) subscribers: &'a Arc<Subscribers>,
    pub(crate) revision: Revision,
    pub(crate) level: LevelSource,
    pub(crate) meta: Option<Json<'a>>,
    pub(crate) progress_token: Option<Json<'a>>,
    pub(crate) client_info: Option<Json<'a>>,
    pub(crate) capabilities: Option<Json<'a>>,
    pub(crate) headers: Option<&'a dyn RequestHeaders>,
    pub(crate) principal: Option<&'a Principal>,
    /// Where questions to the client go.
    pub(crate) asking: ScopeAsking<'a>,
    /// Makes the outlet of this call: over HTTP that costs a channel, so only a call with a context pays for it.
    pub(crate) outlet: &'a dyn Fn() -> Arc<dyn Outlet>,
    /// The function's name.
    pub(crate) function: &'a str,
    /// The module that the function stands in.
    pub(crate) module: &'static str,
    /// What others that are made for the same request have said.
    pub(crate) said: Option<&'a Said>,
    pub(crate) context: OnceCell<Context>,
}

impl<'a> Scope<'a> {
    /// The request of a context that has been made before, for a function that runs later than its message came.
    pub(crate) fn again<R>(context: &Context, run: impl FnOnce(&Scope<'_>) -> R) -> R {
        let inner = context.inner();
        run(&Scope {
            states: &inner.states,
            registry: &inner.registry,
            subscribers: &inner.subscribers,
            revision: inner.revision,
            level: inner.level.clone(),
            meta: inner.meta.as_ref().map(OwnedJson::borrow),
            progress_token: inner.progress_token.as_ref().map(OwnedJson::borrow),
            client_info: inner.client_info.as_ref().map(OwnedJson::borrow),
            capabilities: inner.capabilities.as_ref().map(OwnedJson::borrow),
            headers: inner.headers.as_deref().map(|headers| headers as &dyn RequestHeaders),
            principal: inner.principal.as_ref(),
            asking: match &inner.asking {
                Asking::Nowhere => ScopeAsking::Nowhere,
                Asking::Session(peer, _) => ScopeAsking::Session(peer),
                Asking::Rounds(rounds) => ScopeAsking::Rounds(Some(Arc::clone(rounds))),
            },
            outlet: &|| Arc::clone(&inner.outlet),
            function: &inner.logger,
            module: inner.module,
            said: None,
            context: OnceCell::from(context.clone()),
        })
    }

    /// The context, made at the first call.
    pub(crate) fn context(&self) -> &Context {
        self.context.get_or_init(|| {
            Context::new(ContextInner {
                states: Arc::clone(self.states),
                registry: Arc::clone(self.registry),
                subscribers: Arc::clone(self.subscribers),
                revision: self.revision,
                outlet: (self.outlet)(),
                level: self.level.clone(),
                progress_token: self.progress_token.map(Json::to_owned),
                meta: self.meta.map(Json::to_owned),
                client_info: self.client_info.map(Json::to_owned),
                capabilities: self.capabilities.map(Json::to_owned),
                headers: self.headers.map(RequestHeaders::snapshot),
                principal: self.principal.cloned(),
                asking: match &self.asking {
                    ScopeAsking::Nowhere => Asking::Nowhere,
                    ScopeAsking::Session(peer) => Asking::Session(Arc::clone(peer), Box::default()),
                    ScopeAsking::Rounds(rounds) => Asking::Rounds(rounds.clone().unwrap_or_default()),
                },
                cancelled: CancellationToken::new(),
                voice: Voice::of(self.said.cloned()),
                questions: AtomicUsize::new(0),
                logger: self.function.to_owned(),
                module: self.module,
            })
        })
    }

    /// Ends the call when it is dropped: work that goes on beside it must not send anything any more.
    pub(crate) fn until_end(&self) -> CallEnd {
        CallEnd(self.context.get().cloned())
    }

    /// The context that `tracing` events of the function go to, if its client wants any.
    pub(crate) fn logged(&self) -> Option<&Context> {
        (client_logs::are_on() && self.level.is_asked_for()).then(|| self.context())
    }

    /// The rounds of the call, if it is one that can ask.
    pub(crate) fn rounds(&self) -> Option<Arc<Rounds>> {
        match self.context.get()?.asking() {
            Asking::Rounds(rounds) => Some(Arc::clone(rounds)),
            _ => None,
        }
    }

    /// The token that tells a function of its cancellation; a fresh one if nobody listens.
    pub(crate) fn cancellation(&self) -> CancellationToken {
        self.context.get().map_or_else(CancellationToken::new, |context| context.cancellation().clone())
    }
}

/// The end of a call; see [`Scope::until_end`].
pub(crate) struct CallEnd(Option<Context>);

impl Drop for CallEnd {
    fn drop(&mut self) {
        if let Some(context) = &self.0 {
            context.end();
        }
    }
}
