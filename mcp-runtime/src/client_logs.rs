//! `tracing` events of a function become log messages of its call.
//!
//! While a function runs, its context is the thread's current one, if its client wants log messages at all. The layer hands
//! each event to it.

use crate::extract::{Context, crate_of};
use crate::model::Level;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::fmt::{Debug, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use tracing::field::{Field, Visit};
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer;

/// Is there a layer? Without one no call pays for a context that it did not ask for.
static INSTALLED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static CURRENT: RefCell<Option<Context>> = const { RefCell::new(None) };
}

/// Is there a layer that hands events on?
pub(crate) fn are_on() -> bool {
    INSTALLED.load(Ordering::Relaxed)
}

/// Runs something as part of a call; of none, if that is what `context` says: then its events are nobody's. What sends
/// messages runs its own locked parts so, or an event from inside of them would come back to the same lock.
pub(crate) fn within<R>(context: Option<&Context>, run: impl FnOnce() -> R) -> R {
    /// Brings back what was current before, also when `run` panics.
    struct Before(Option<Context>);
    impl Drop for Before {
        fn drop(&mut self) {
            let before = self.0.take();
            let _ = CURRENT.try_with(|current| current.replace(before));
        }
    }
    if !are_on() {
        return run();
    }
    let _before = Before(CURRENT.with(|current| current.replace(context.cloned())));
    run()
}

/// A `tracing` layer that sends the events of a function to the client that called it, at the level that the client asked
/// for (`logLevel` of the request, `logging/setLevel` of the session). Only events of the function's own crate are sent,
/// and of the targets that are added: what a database driver or an HTTP client logs may hold what no client should see.
/// Events elsewhere, and those of a task that the function has spawned, are not its business.
///
/// [`mcp_main!`](crate::mcp_main) installs it. A program with a subscriber of its own adds it:
///
/// ```
/// use tracing_subscriber::prelude::*;
///
/// tracing_subscriber::registry().with(mcp_runtime::ClientLogs::new()).init();
/// ```
///
/// What is logged reaches clients: no secrets, no personal data.
#[derive(Debug, Clone)]
pub struct ClientLogs {
    targets: Vec<String>,
}

impl ClientLogs {
    /// The layer.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        INSTALLED.store(true, Ordering::Relaxed);
        ClientLogs { targets: Vec::new() }
    }

    /// Adds targets (crates or modules) whose events are sent too, from whatever function they come.
    #[must_use]
    pub fn with_targets<T: Into<String>>(mut self, targets: impl IntoIterator<Item = T>) -> Self {
        self.targets.extend(targets.into_iter().map(Into::into));
        self
    }

    fn sends(&self, target: &str, context: &Context) -> bool {
        let is_within = |module: &String| {
            target.strip_prefix(&**module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        crate_of(target) == context.home() || self.targets.iter().any(is_within)
    }
}

impl<S: Subscriber> Layer<S> for ClientLogs {
    fn max_level_hint(&self) -> Option<LevelFilter> {
        // The protocol's finest level: trace events stay as cheap as without the layer.
        Some(LevelFilter::DEBUG)
    }

    fn on_event(&self, event: &Event<'_>, _: layer::Context<'_, S>) {
        let metadata = event.metadata();
        let context = CURRENT.try_with(|current| current.try_borrow().ok().and_then(|current| current.clone()));
        if let Some(context) = context.ok().flatten().filter(|context| self.sends(metadata.target(), context)) {
            context.log_from(level(metadata), metadata.target(), data(event));
        }
    }
}

fn level(metadata: &Metadata<'_>) -> Level {
    match *metadata.level() {
        tracing::Level::ERROR => Level::Error,
        tracing::Level::WARN => Level::Warning,
        tracing::Level::INFO => Level::Info,
        _ => Level::Debug,
    }
}

/// The message alone if there is nothing else, all fields otherwise.
fn data(event: &Event<'_>) -> Value {
    let mut fields = Fields(Map::new());
    event.record(&mut fields);
    match fields.0.len() {
        1 => fields.0.shift_remove("message").unwrap_or(Value::Object(fields.0)),
        _ => Value::Object(fields.0),
    }
}

struct Fields(Map<String, Value>);

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = String::new();
        // A `Debug` that fails leaves what it has written.
        let _ = write!(text, "{value:?}");
        self.0.insert(field.name().to_owned(), text.into());
    }
}
