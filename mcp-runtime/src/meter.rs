//! What is counted and timed, through the `metrics` facade.
//!
//! Source: OpenTelemetry semantic conventions for the Model Context Protocol, metric `mcp.server.operation.duration`. The other
//! names are the framework's own. No label is a text of a peer, so that no peer can make up series.

use metrics::{Label, SharedString, Unit, counter, gauge, histogram};
use std::borrow::Cow;
use std::time::Duration;

const DURATION: &str = "mcp.server.operation.duration";
const IN_FLIGHT: &str = "mcp.server.requests.in_flight";
const WAITING: &str = "mcp.server.calls.waiting";
const SESSIONS: &str = "mcp.server.sessions";
const SUBSCRIPTIONS: &str = "mcp.server.subscriptions";
const DROPPED: &str = "mcp.server.notifications.dropped";
const REFUSED: &str = "mcp.server.http.refused";

/// Tells the recorder what the metrics are.
pub(crate) fn describe() {
    metrics::describe_histogram!(DURATION, Unit::Seconds, "From a request to its answer.");
    metrics::describe_gauge!(IN_FLIGHT, Unit::Count, "Requests without an answer yet.");
    metrics::describe_gauge!(WAITING, Unit::Count, "Calls that wait for their turn: for a limit of their concurrency.");
    metrics::describe_gauge!(SESSIONS, Unit::Count, "Sessions over HTTP that are open.");
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
    error: Option<Cow<'static, str>>,
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
        label("mcp.protocol.version", revision.map(Into::into)),
        label("network.transport", Some(transport.into())),
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

    /// A session.
    pub(crate) fn session() -> Self {
        Open::new(SESSIONS)
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
    /// `mcp.server.operation.duration` and `mcp.server.requests.in_flight`.
    pub fn metrics(mut self) -> Self {
        self.watchers.metered = true;
        self
    }
}
