//! One request under way, borrowed from its message. A [`Context`] is made of it only when a function takes one.

use super::{LevelSource, Outlet, RequestHeaders, Subscribers};
use crate::extract::{Context, ContextInner, States};
use crate::revision::Revision;
use serde_json::value::RawValue;
use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use tokio_util::sync::CancellationToken;

/// The request.
pub(crate) struct Scope<'a> {
    pub(crate) states: &'a Arc<States>,
    pub(crate) subscribers: &'a Arc<Subscribers>,
    pub(crate) revision: Revision,
    pub(crate) level: LevelSource,
    pub(crate) meta: Option<&'a RawValue>,
    pub(crate) progress_token: Option<&'a RawValue>,
    pub(crate) client_info: Option<&'a RawValue>,
    pub(crate) capabilities: Option<&'a RawValue>,
    pub(crate) headers: Option<&'a dyn RequestHeaders>,
    /// Makes the outlet of this call: over HTTP that costs a channel, so only a call with a context pays for it.
    pub(crate) outlet: &'a dyn Fn() -> Arc<dyn Outlet>,
    /// The function's name.
    pub(crate) function: &'a str,
    pub(crate) context: OnceCell<Context>,
}

impl<'a> Scope<'a> {
    /// The context, made at the first call.
    pub(crate) fn context(&self) -> &Context {
        self.context.get_or_init(|| {
            Context::new(ContextInner {
                states: Arc::clone(self.states),
                subscribers: Arc::clone(self.subscribers),
                revision: self.revision,
                outlet: (self.outlet)(),
                level: self.level.clone(),
                progress_token: self.progress_token.map(ToOwned::to_owned),
                meta: self.meta.map(ToOwned::to_owned),
                client_info: self.client_info.map(ToOwned::to_owned),
                capabilities: self.capabilities.map(ToOwned::to_owned),
                headers: self.headers.map(RequestHeaders::snapshot),
                cancelled: CancellationToken::new(),
                progress: AtomicU64::new(f64::NAN.to_bits()),
                logger: self.function.to_owned(),
            })
        })
    }

    /// The token that tells a function of its cancellation; a fresh one if nobody listens.
    pub(crate) fn cancellation(&self) -> CancellationToken {
        self.context.get().map_or_else(CancellationToken::new, |context| context.cancellation().clone())
    }
}
