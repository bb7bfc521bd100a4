//! Who has done what: one event for each request that has ended.

use crate::Server;
use crate::contain::contain;
use crate::principal::Principal;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Larger arguments, in bytes, are not kept until the end of their request.
const MOST_ARGUMENTS: usize = 64 * 1024;

/// Fields that are never shown, whatever else is asked for.
const SECRETS: [&str; 12] = [
    "access_token",
    "api_key",
    "apikey",
    "authorization",
    "client_secret",
    "cookie",
    "passphrase",
    "password",
    "private_key",
    "refresh_token",
    "secret",
    "token",
];

type Sink = Arc<dyn Fn(&AuditEvent) + Send + Sync>;

/// The audit trail of a server: one [`AuditEvent`] for each request that was dispatched, when it has ended, however it ended, and one
/// for each text that came in place of a message.
///
/// Without [`to`](Self::to), events are `tracing` events with the target `mcp::audit` and the level `info`, inside of the span of
/// their request, so that whatever keeps the log keeps them. A trail that no log level may silence goes to a function of your own.
///
/// ```
/// use mcp_runtime::Audit;
/// use mcp_runtime::prelude::*;
///
/// /// Opens an account.
/// #[mcp_tool]
/// fn open_account(name: String, password: String) {
/// #   let _ = (name, password);
/// }
///
/// let server = mcp_runtime::server!()
///     .tools(tools![open_account])
///     .audit(Audit::new().arguments(true).redact(["name"]).to(|event| {
///         // A line of JSON, for example appended to a file.
///         let line = serde_json::to_string(event).unwrap_or_default();
///         # assert!(line.contains(r#""function":"open_account""#), "{line}");
///         # assert!(!line.contains("Ada") && !line.contains("hunter2"), "{line}");
///         eprintln!("{line}");
///     }));
/// # let client = server.build().unwrap().connect();
/// # client.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_account","arguments":{"name":"Ada","password":
/// #   "hunter2"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#);
/// ```
#[derive(Clone, Default)]
#[must_use = "a trail begins with `Server::audit`"]
pub struct Audit {
    arguments: bool,
    redacted: Vec<String>,
    sink: Option<Sink>,
}

/// One request that has ended. As JSON (`Serialize`) its members have the names of the fields; what is unknown is left out, times
/// are seconds.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct AuditEvent {
    /// When the request was dispatched. As JSON: seconds since 1970.
    #[serde(serialize_with = "seconds_since_1970")]
    pub at: SystemTime,
    /// On whose behalf it came: the name of the [`Principal`]; none where nobody authenticates requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    /// The address from which it came, if it came over HTTP and the address is known: see
    /// `Server::trusted_proxies`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<IpAddr>,
    /// The id of the HTTP request that brought it, where they have ids: see `Server::request_ids`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_request_id: Option<String>,
    /// The protocol's method; `_OTHER` for one that it does not know.
    pub method: &'static str,
    /// The tool, prompt or resource, by the name of its function; none if there is none of that name for the principal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<&'static str>,
    /// The id of the request, as JSON text of at most 256 characters; `null` for what is no message and has none.
    pub request_id: String,
    /// `tcp` (HTTP) or `pipe` (stdio, or a connection inside of the process).
    pub transport: &'static str,
    /// Why it failed: `tool_error`, `cancelled` or the code of the error response; none if it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Cow<'static, str>>,
    /// From dispatching to the answer. As JSON: seconds.
    #[serde(serialize_with = "seconds")]
    pub duration: Duration,
    /// The size of the arguments as they came, in bytes of JSON; of what is no message, the size of all of it.
    pub argument_bytes: usize,
    /// The size of the response, in bytes of JSON; 0 without one.
    pub response_bytes: usize,
    /// The arguments without what is redacted, if they are switched on: the object for tools and prompts, `{"uri": ..}` for
    /// resources; `"[unreadable]"` for JSON that no value holds. None if they have more than 64 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Value>,
}

impl Audit {
    /// A trail without arguments.
    pub fn new() -> Self {
        Audit::default()
    }

    /// Shows the arguments of calls, without what is redacted. Off without this.
    pub fn arguments(mut self, shown: bool) -> Self {
        self.arguments = shown;
        self
    }

    /// Replaces the values of fields of these names by `"[redacted]"`, at any depth and whatever their case. Passwords, tokens and
    /// the like (`password`, `passphrase`, `secret`, `client_secret`, `token`, `access_token`, `refresh_token`, `api_key`,
    /// `apikey`, `private_key`, `authorization`, `cookie`) are redacted without this.
    pub fn redact<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.redacted.extend(names.into_iter().map(|name| name.into().to_lowercase()));
        self
    }

    /// Hands events to a function instead of `tracing`. It is called where requests are dispatched and must not block: one that
    /// writes to a disk or a network puts events into a queue. A panic in it is logged and changes nothing for the request.
    pub fn to(mut self, sink: impl Fn(&AuditEvent) + Send + Sync + 'static) -> Self {
        self.sink = Some(Arc::new(sink));
        self
    }

    /// What is shown of the arguments.
    pub(crate) fn show(&self, arguments: Option<&str>) -> Option<Value> {
        let text = arguments.filter(|text| self.arguments && text.len() <= MOST_ARGUMENTS)?;
        // JSON can say what no value holds; that there was something has to be seen all the same.
        let mut value = serde_json::from_str(text).unwrap_or_else(|_| "[unreadable]".into());
        self.hide(&mut value);
        Some(value)
    }

    fn hide(&self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide(item)),
            Value::Object(members) => {
                for (name, value) in members {
                    if self.is_redacted(name) {
                        *value = "[redacted]".into();
                    } else {
                        self.hide(value);
                    }
                }
            }
            _ => {}
        }
    }

    fn is_redacted(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        SECRETS.contains(&&*name) || self.redacted.contains(&name)
    }

    pub(crate) fn tell(&self, event: &AuditEvent) {
        let Some(sink) = &self.sink else { return log(event) };
        if contain(|| sink(event)).is_err() {
            tracing::error!(method = event.method, "the audit trail panicked: an event is lost");
        }
    }
}

impl std::fmt::Debug for Audit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Audit")
            .field("arguments", &self.arguments)
            .field("redacted", &self.redacted)
            .finish_non_exhaustive()
    }
}

impl AuditEvent {
    /// The name of a principal.
    pub(crate) fn name(principal: Option<&Principal>) -> Option<String> {
        principal.map(|principal| principal.as_str().to_owned())
    }
}

fn log(event: &AuditEvent) {
    let arguments = event.arguments.as_ref().map(Value::to_string);
    tracing::info!(
        target: "mcp::audit",
        principal = event.principal,
        client = event.client.map(tracing::field::display),
        http_request_id = event.http_request_id,
        method = event.method,
        function = event.function,
        request_id = event.request_id,
        transport = event.transport,
        error = event.error.as_deref(),
        duration = event.duration.as_secs_f64(),
        argument_bytes = event.argument_bytes,
        response_bytes = event.response_bytes,
        arguments,
        "a request has ended"
    );
}

fn seconds<S: serde::Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(duration.as_secs_f64())
}

fn seconds_since_1970<S: serde::Serializer>(at: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    let since = at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    serializer.serialize_f64(since.as_secs_f64())
}

/// # Audit trail
/// See [the guide](crate::guide::watching#audit-trail).
impl Server {
    /// Tells who has done what: one event for each request. See [`Audit`].
    pub fn audit(mut self, audit: Audit) -> Self {
        self.watchers.audit = Some(audit);
        self
    }
}
