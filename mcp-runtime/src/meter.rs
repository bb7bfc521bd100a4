//! What is counted and timed, through the `metrics` facade.
//!
//! Source: OpenTelemetry semantic conventions for the Model Context Protocol, metrics `mcp.server.operation.duration` and
//! `mcp.server.session.duration`. The other names are the framework's own. No label is a text of a peer, so that no peer can make up series.

use metrics::{Label, SharedString, Unit, counter, gauge, histogram};
use std::borrow::Cow;
use std::time::Duration;
#[cfg(feature = "http")]
use std::time::Instant;

const DURATION: &str = "mcp.server.operation.duration";
const IN_FLIGHT: &str = "mcp.server.requests.in_flight";
const WAITING: &str = "mcp.server.calls.waiting";
const SESSIONS: &str = "mcp.server.sessions";
const SUBSCRIPTIONS: &str = "mcp.server.subscriptions";
const SESSION_DURATION: &str = "mcp.server.session.duration";
const STREAMS: &str = "mcp.server.http.streams";
const QUEUED: &str = "mcp.server.http.events.queued";
const THREADS: &str = "mcp.server.calls.waiting_for_thread";
const MALFORMED: &str = "mcp.server.messages.malformed";
/// The label with the name of a tool.
const TOOL: &str = "gen_ai.tool.name";
const DROPPED: &str = "mcp.server.notifications.dropped";
const REFUSED: &str = "mcp.server.http.refused";

/// Tells the recorder what the metrics are.
pub(crate) fn describe() {
    metrics::describe_histogram!(DURATION, Unit::Seconds, "From a request to its answer.");
    metrics::describe_gauge!(IN_FLIGHT, Unit::Count, "Requests without an answer yet.");
    metrics::describe_gauge!(WAITING, Unit::Count, "Calls that wait for their turn: for a limit of their concurrency.");
    metrics::describe_gauge!(SESSIONS, Unit::Count, "Sessions over HTTP that are open.");
    metrics::describe_histogram!(
        SESSION_DURATION,
        Unit::Seconds,
        "From the beginning of a session over HTTP to its end."
    );
    metrics::describe_gauge!(STREAMS, Unit::Count, "Event streams over HTTP that are open.");
    metrics::describe_gauge!(QUEUED, Unit::Count, "Messages that wait for their event streams over HTTP.");
    metrics::describe_gauge!(THREADS, Unit::Count, "Calls of blocking functions that wait for a thread.");
    metrics::describe_counter!(MALFORMED, Unit::Count, "Texts that came in place of messages.");
    metrics::describe_gauge!(SUBSCRIPTIONS, Unit::Count, "Sessions and streams that are told of changes.");
    metrics::describe_counter!(
        DROPPED,
        Unit::Count,
        "Notifications that were dropped for clients which do not keep up."
    );
    metrics::describe_counter!(REFUSED, Unit::Count, "HTTP requests that were refused before they were dispatched.");
}

/// A request has ended. `function` is the name of a label and that of the function.
pub(crate) fn ended(
    method: &'static str,
    function: Option<(&'static str, &'static str)>,
    revision: Option<&'static str>,
    transport: &'static str,
    (error, code): (Option<Cow<'static, str>>, Option<i32>),
    duration: Duration,
) {
    let label = |name: &'static str, value: Option<SharedString>| value.map(|value| Label::new(name, value));
    let error = error.map(|error| match error {
        Cow::Borrowed(error) => SharedString::const_str(error),
        Cow::Owned(error) => SharedString::from_owned(error),
    });
    let labels: Vec<Label> = [
        label("mcp.method.name", Some(method.into())),
        function.and_then(|(label_name, name)| label(label_name, Some(name.into()))),
        label("gen_ai.operation.name", function.filter(|(name, _)| *name == TOOL).map(|_| "execute_tool".into())),
        label("mcp.protocol.version", revision.map(Into::into)),
        label("network.transport", Some(transport.into())),
        label("rpc.response.status_code", code.map(|code| code.to_string().into())),
        label("error.type", error),
    ]
    .into_iter()
    .flatten()
    .collect();
    histogram!(DURATION, labels).record(duration);
}

/// Counts as one as long as it is there.
pub(crate) struct Open(&'static str);

impl Open {
    /// A request that has no answer yet.
    pub(crate) fn request() -> Self {
        Open::new(IN_FLIGHT)
    }

    /// A call that waits for its turn.
    pub(crate) fn waiting() -> Self {
        Open::new(WAITING)
    }

    /// A call that waits for a thread.
    pub(crate) fn waiting_for_thread() -> Self {
        Open::new(THREADS)
    }

    /// An event stream.
    #[cfg(feature = "http")]
    pub(crate) fn stream() -> Self {
        Open::new(STREAMS)
    }

    /// A message that waits for its event stream.
    #[cfg(feature = "http")]
    pub(crate) fn queued() -> Self {
        Open::new(QUEUED)
    }

    /// Somebody who is told of changes.
    pub(crate) fn subscription() -> Self {
        Open::new(SUBSCRIPTIONS)
    }

    fn new(name: &'static str) -> Self {
        gauge!(name).increment(1.0);
        Open(name)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        gauge!(self.0).decrement(1.0);
    }
}

/// A session, timed as long as it is there.
#[cfg(feature = "http")]
pub(crate) struct Session {
    _open: Open,
    begun: Instant,
}

#[cfg(feature = "http")]
impl Session {
    pub(crate) fn begin() -> Self {
        Session { _open: Open::new(SESSIONS), begun: Instant::now() }
    }
}

#[cfg(feature = "http")]
impl Drop for Session {
    fn drop(&mut self) {
        histogram!(SESSION_DURATION, "network.transport" => "tcp").record(self.begun.elapsed());
    }
}

/// Something came that is no message.
pub(crate) fn malformed(transport: &'static str, code: i32) {
    counter!(MALFORMED, "network.transport" => transport, "error.type" => code.to_string()).increment(1);
}

/// A notification was dropped.
pub(crate) fn dropped() {
    counter!(DROPPED).increment(1);
}

/// An HTTP request was refused with this status.
#[cfg(feature = "http")]
pub(crate) fn refused(status: http::StatusCode) {
    counter!(REFUSED, "http.response.status_code" => status.as_str().to_owned()).increment(1);
}

/// # Metrics
/// See [the guide](crate::guide::watching#metrics).
impl crate::Server {
    /// Times and counts requests through the recorder of the `metrics` facade that the program has installed (feature `metrics`):
    /// `mcp.server.operation.duration`, `mcp.server.requests.in_flight` and `mcp.server.messages.malformed`.
    pub fn metrics(mut self) -> Self {
        self.watchers.metered = true;
        self
    }
}
