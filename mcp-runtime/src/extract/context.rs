//! The request, as a function sees it.

use super::{FromContext, Needs, States};
use crate::ask::Asking;
use crate::model::{Capability, Level, Meta};
use crate::registry::Registry;
use crate::reply::IntoToolError;
use crate::revision::{self, Revision};
use crate::session::{Header, LevelSource, Outlet, RequestHeaders, Subscribers, Voice};
use crate::wire::OwnedJson;
use crate::{Principal, ServerHandle, ToolError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio_util::sync::CancellationToken;

/// The request that a function answers: progress, logging, cancellation, and what the client told about itself.
///
/// Take it as a parameter, under any name and in any position, by value or by reference. Cloning is cheap.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Counts slowly.
/// #[mcp_tool]
/// async fn count(to: u32, cx: Context) -> String {
///     for n in 0..to {
///         cx.progress(n + 1, to);
///     }
///     cx.info("done");
///     format!("counted to {to}")
/// }
/// ```
#[derive(Clone)]
pub struct Context(Arc<Inner>);

/// The parts of a context; the session layer fills them in.
pub(crate) struct Inner {
    pub(crate) states: Arc<States>,
    pub(crate) registry: Arc<Registry>,
    pub(crate) subscribers: Arc<Subscribers>,
    pub(crate) revision: Revision,
    pub(crate) outlet: Arc<dyn Outlet>,
    pub(crate) level: LevelSource,
    pub(crate) progress_token: Option<OwnedJson>,
    pub(crate) meta: Option<OwnedJson>,
    pub(crate) client_info: Option<OwnedJson>,
    pub(crate) capabilities: Option<OwnedJson>,
    pub(crate) headers: Option<Arc<dyn RequestHeaders>>,
    pub(crate) principal: Option<Principal>,
    pub(crate) asking: Asking,
    pub(crate) cancelled: CancellationToken,
    pub(crate) voice: Voice,
    /// How many questions wait for the client of the session.
    pub(crate) questions: AtomicUsize,
    /// The name of the function, for log messages.
    pub(crate) logger: String,
    /// The module that the function stands in.
    pub(crate) module: &'static str,
}

/// A question that waits for its answer.
pub(crate) struct OpenQuestion<'c>(&'c AtomicUsize);

impl Drop for OpenQuestion<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// One report of progress.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    progress: f64,
    total: Option<f64>,
    message: Option<String>,
}

impl Progress {
    /// So much is done.
    pub fn new(progress: impl ProgressValue) -> Self {
        Progress { progress: progress.value(), total: None, message: None }
    }

    /// Of so much in all.
    #[must_use]
    pub fn total(mut self, total: impl ProgressValue) -> Self {
        self.total = Some(total.value());
        self
    }

    /// What is being done. (Peers of revision 2024-11-05 do not see it.)
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }
}

/// A number that measures progress.
pub trait ProgressValue {
    /// The number.
    fn value(self) -> f64;
}

macro_rules! progress_value {
    ($($number:ty),*) => {$(
        impl ProgressValue for $number {
            #[allow(clippy::cast_precision_loss, clippy::cast_lossless)]
            fn value(self) -> f64 {
                self as f64
            }
        }
    )*};
}

progress_value!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize, f32, f64);

impl Context {
    pub(crate) fn new(inner: Inner) -> Self {
        Context(Arc::new(inner))
    }

    /// Reports that `done` of `total` is done, if the client asked for progress.
    ///
    /// The protocol wants progress to increase: a value that is not above the last one, or not finite, is not sent.
    pub fn progress(&self, done: impl ProgressValue, total: impl ProgressValue) {
        self.report(Progress::new(done).total(total));
    }

    /// Reports progress with all its parts, under the same rule as [`progress`](Self::progress).
    pub fn report(&self, report: Progress) {
        let inner = &*self.0;
        let Some(token) = &inner.progress_token else { return };
        if !report.progress.is_finite() {
            return;
        }
        let total = report.total.filter(|total| total.is_finite());
        inner.voice.report(&*inner.outlet, report.progress, || {
            let message = report.message.as_deref();
            revision::progress(inner.revision, token.borrow(), report.progress, total, message)
        });
    }

    /// Does the client want progress reports of this call?
    pub fn wants_progress(&self) -> bool {
        self.0.progress_token.is_some()
    }

    /// Sends a log message to the client, if it wants messages of this level. `data` may be a text or any value.
    ///
    /// Do not send secrets, personal data or internals that would help an attacker.
    pub fn log(&self, level: Level, data: impl Serialize) {
        self.log_from(level, &self.0.logger, data);
    }

    /// The crate that the function belongs to.
    pub(crate) fn home(&self) -> &'static str {
        crate_of(self.0.module)
    }

    /// Sends a log message in the name of a part of the program.
    pub(crate) fn log_from(&self, level: Level, logger: &str, data: impl Serialize) {
        let inner = &*self.0;
        if inner.level.admits(level) && !inner.voice.is_over() {
            // Made before anything is locked: how the data is written is the author's affair.
            let message = revision::log_message(level, logger, &data);
            inner.voice.say(&*inner.outlet, message);
        }
    }

    /// Sends a log message of level `debug`.
    pub fn debug(&self, data: impl Serialize) {
        self.log(Level::Debug, data);
    }

    /// Sends a log message of level `info`.
    pub fn info(&self, data: impl Serialize) {
        self.log(Level::Info, data);
    }

    /// Sends a log message of level `warning`.
    pub fn warning(&self, data: impl Serialize) {
        self.log(Level::Warning, data);
    }

    /// Sends a log message of level `error`.
    pub fn error(&self, data: impl Serialize) {
        self.log(Level::Error, data);
    }

    /// Has the client given up on this call? An async function need not ask, its future is dropped then; a sync one on the
    /// blocking pool should look now and then.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.is_cancelled()
    }

    /// Waits until the client gives up on this call; for work that goes on beside the function.
    pub async fn cancelled(&self) {
        self.0.cancelled.cancelled().await;
    }

    /// Tells every client that has subscribed to a resource (`resources/subscribe`, `subscriptions/listen`) that it has changed.
    pub fn resource_updated(&self, uri: &str) {
        self.server_handle().resource_updated(uri);
    }

    /// Closes the connection that the answer would come on, so that a long call holds none: the client comes back for the
    /// rest. Does nothing for clients that would not, which are all but those of revision 2025-11-25 over Streamable HTTP.
    ///
    /// Source: basic/transports of 2025-11-25, Sending Messages to the Server.
    pub fn close_stream(&self) {
        self.0.outlet.let_go();
    }

    /// The request's `_meta`, empty if there is none.
    pub fn meta(&self) -> Meta {
        self.0.meta.as_ref().and_then(|meta| meta.borrow().decode().ok()).unwrap_or_default()
    }

    /// Name and version of the client, as it told them (unverified): `clientInfo` of the request or of the handshake.
    pub fn client_info(&self) -> Option<Value> {
        self.0.client_info.as_ref().and_then(|info| info.borrow().decode().ok())
    }

    /// Did the client declare the capability?
    pub fn supports(&self, capability: Capability) -> bool {
        capability.is_declared(self.0.capabilities.as_ref().map(|declared| declared.borrow().get()))
    }

    /// The protocol revision that the client speaks, for example `2026-07-28`.
    pub fn protocol_version(&self) -> &'static str {
        self.0.revision.as_str()
    }

    /// A header of the HTTP request, if it came over HTTP and has exactly one such header of readable text.
    pub fn header(&self, name: &str) -> Option<String> {
        self.0.headers.as_ref()?.get(Header::Other(name)).ok().flatten().map(str::to_owned)
    }

    /// On whose behalf the request comes; `None` if nothing has authenticated it.
    pub fn principal(&self) -> Option<&Principal> {
        self.0.principal.as_ref()
    }

    /// A value that the server was given with `state(..)`.
    pub fn state<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.0.states.get::<T>()
    }

    /// Runs a step once, however often the function runs again because of questions to the client, or because of `retry`:
    /// its result is kept (between rounds by the client, sealed) and given back. Put a key of its own on each step.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Books a room.
    /// #[mcp_tool]
    /// async fn book(cx: Context) -> Result<String, ToolError> {
    ///     let hold: u32 = cx.once("hold", async { Ok::<_, ToolError>(4711) }).await?;
    ///     cx.elicit_url("Please pay.", "https://example.com/pay").await?.accepted()?;
    ///     Ok(format!("Booked under {hold}."))
    /// }
    /// ```
    ///
    /// # Errors
    /// The step's own, and a result that cannot be written as JSON or read back.
    pub async fn once<T, E, F>(&self, key: &str, step: F) -> Result<T, ToolError>
    where
        T: Serialize + DeserializeOwned,
        E: IntoToolError,
        F: Future<Output = Result<T, E>>,
    {
        let Some(rounds) = self.0.asking.memory() else {
            return step.await.map_err(IntoToolError::into_tool_error);
        };
        if let Some(kept) = rounds.step(key) {
            return serde_json::from_value(kept).map_err(ToolError::internal);
        }
        let _running = rounds.begin_step();
        let result = step.await.map_err(IntoToolError::into_tool_error)?;
        rounds.remember(key, serde_json::to_value(&result).map_err(ToolError::internal)?);
        Ok(result)
    }

    pub(crate) fn server_handle(&self) -> ServerHandle {
        let inner = &*self.0;
        ServerHandle::new(&inner.registry, &inner.subscribers, &inner.states)
    }

    /// The call has been answered or given up.
    pub(crate) fn end(&self) {
        self.0.voice.end();
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }

    pub(crate) fn revision(&self) -> Revision {
        self.0.revision
    }

    pub(crate) fn outlet(&self) -> &Arc<dyn Outlet> {
        &self.0.outlet
    }

    /// Counts a question to the client of the session, for as long as it is open.
    pub(crate) fn question(&self) -> OpenQuestion<'_> {
        self.0.questions.fetch_add(1, Ordering::Relaxed);
        OpenQuestion(&self.0.questions)
    }

    /// Does the function wait for the client of the session?
    pub(crate) fn is_asking(&self) -> bool {
        self.0.questions.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn asking(&self) -> &Asking {
        &self.0.asking
    }

    pub(crate) fn cancellation(&self) -> &CancellationToken {
        &self.0.cancelled
    }
}

/// The crate of a module path.
pub(crate) fn crate_of(path: &str) -> &str {
    path.split("::").next().unwrap_or(path)
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("revision", &self.0.revision).finish_non_exhaustive()
    }
}

impl FromContext for Context {
    fn from_context(cx: &Context) -> Result<Self, ToolError> {
        Ok(cx.clone())
    }

    fn needs(needs: &mut Needs) {
        needs.context();
    }
}
