//! What an operator can set.

use super::connections::Connections;
use super::guard;
use super::health::Health;
use super::proxies::Proxies;
use super::tls::Tls;
use crate::auth::Authorization;
use crate::session::{EventStore, SessionStore};
use crate::{BuildError, Server};
use std::sync::Arc;
use std::time::Duration;

/// Longer than any server runs, short enough to be added to the present.
pub(super) const NEVER: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// The options of the HTTP transport.
#[derive(Clone)]
pub(crate) struct Settings {
    /// None: the names of this machine as it sees itself.
    pub(super) allowed_hosts: Option<Vec<String>>,
    /// None: pages that come from an allowed host.
    pub(super) allowed_origins: Option<Vec<String>>,
    pub(super) authorization: Option<Authorization>,
    pub(super) max_body_size: usize,
    pub(super) max_body_memory: usize,
    pub(super) connections: Connections,
    pub(super) session_idle_timeout: Duration,
    pub(super) max_sessions: usize,
    pub(super) max_sessions_per_principal: usize,
    pub(super) sessions: bool,
    /// None: the memory of the process.
    pub(super) session_store: Option<Arc<dyn SessionStore>>,
    /// None: the memory of the process.
    pub(super) event_store: Option<Arc<dyn EventStore>>,
    pub(super) health: Health,
    /// None: nobody is believed who asks for somebody else.
    pub(super) proxies: Option<Proxies>,
    /// None: plain HTTP.
    pub(super) tls: Option<Tls>,
    #[cfg(feature = "sse")]
    pub(super) sse_prefix: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            allowed_hosts: None,
            allowed_origins: None,
            authorization: None,
            max_body_size: 4 * 1024 * 1024,
            max_body_memory: 256 * 1024 * 1024,
            connections: Connections::default(),
            session_idle_timeout: Duration::from_secs(30 * 60),
            max_sessions: 10_000,
            max_sessions_per_principal: 1_000,
            sessions: true,
            session_store: None,
            event_store: None,
            health: Health::default(),
            proxies: None,
            tls: None,
            #[cfg(feature = "sse")]
            sse_prefix: None,
        }
    }
}

impl Settings {
    /// The name by which clients know the server, if they have been told one.
    pub(super) fn public_host(&self) -> Option<String> {
        self.authorization.as_ref()?.host()
    }

    /// May any web page whatsoever do what it likes?
    pub(super) fn lets_every_page_in(&self) -> bool {
        self.authorization.is_none() && self.allowed_origins.iter().flatten().any(|origin| origin == guard::ANY)
    }

    /// Adds what is wrong with the settings to the problems of a build.
    pub(crate) fn check<T>(&self, built: Result<T, BuildError>) -> Result<T, BuildError> {
        let hosts = self.allowed_hosts.iter().flatten().filter(|host| !guard::is_host_rule(host));
        let origins = self.allowed_origins.iter().flatten().filter(|origin| !guard::is_origin_rule(origin));
        let hosts = hosts.map(|text| {
            format!("allowed_hosts: `{text}` is no host such as `mcp.example.com`, `*.example.com` or `[::1]:8080`")
        });
        let origins = origins.map(|text| {
            format!(
                "allowed_origins: `{text}` is no origin such as `https://app.example.com` or `https://*.example.com`"
            )
        });
        let problems = hosts.chain(origins);
        #[cfg(feature = "sse")]
        let problems = problems.chain(self.sse_prefix.iter().filter(|prefix| !is_path(prefix)).map(|text| {
            format!("sse_prefix: `{text}` is no path such as `/tools` whose characters can stand in a URL")
        }));
        let problems = problems.chain(self.proxies.iter().flat_map(Proxies::problems)).chain(self.health.problems());
        let problems = problems.chain(self.authorization.iter().flat_map(Authorization::problems));
        let problems: Vec<String> = problems.collect();
        match built {
            Ok(built) if problems.is_empty() => Ok(built),
            Ok(_) => Err(BuildError::new(problems)),
            Err(error) => Err(BuildError::new(error.problems().iter().cloned().chain(problems).collect())),
        }
    }
}

/// Is it an absolute path, and nothing that could lead to another host?
pub(super) fn is_path(text: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@%/".contains(&b);
    text.is_empty() || (text.starts_with('/') && !text.contains("//") && text.bytes().all(fits))
}

/// Options of the HTTP transport.
impl Server {
    /// The hosts under which clients may reach the server over HTTP: `mcp.example.com`, `192.168.1.5:8080`, `[::1]`,
    /// `*.example.com`, or `*` for any. Without it only the names that a machine has for itself (`localhost`, `127.0.0.1`,
    /// `[::1]`) and, if the server needs authorization, the host of its resource identifier.
    ///
    /// Case and the dot of the root do not matter, and without a port every port is good. `*.example.com` is everything below
    /// `example.com` at any depth, but neither `example.com` itself nor `badexample.com`; a `*` stands nowhere else.
    ///
    /// A web page can make a browser send requests to a server that only the browser's machine reaches, by pointing its own
    /// host name there (DNS rebinding). The `Host` header (in HTTP/2 `:authority`) gives it away; requests with another host get
    /// a 403, and the log says which host it was. Behind a proxy, list the hosts that the proxy passes on, or `*` where nobody
    /// reaches the server but through the proxy. Entries that are no host are reported by [`build`](Self::build).
    pub fn allowed_hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.http.allowed_hosts = Some(hosts.into_iter().map(Into::into).collect());
        self
    }

    /// The web pages that may use the server, by origin: `https://app.example.com`, `https://*.example.com`,
    /// `http://localhost:*` (any port), `null`, or `*` for any. Without it the pages that come from an
    /// [allowed host](Self::allowed_hosts), which reach the server from there alone. Clients that are no browsers send no origin
    /// and are not concerned; requests with another origin get a 403, and the log says which it was.
    ///
    /// Browsers let pages of other hosts read nothing of a server that does not agree (CORS). With this option the server agrees
    /// for the origins listed: it answers what browsers ask beforehand (preflight), without a token, and names the origin in
    /// every response. It never agrees to credentials that a browser adds by itself, such as cookies. Entries that are no origin
    /// are reported by [`build`](Self::build).
    ///
    /// ```
    /// let server = mcp_runtime::server!().allowed_origins(["https://app.example.com", "http://localhost:*"]);
    /// ```
    ///
    /// Source: basic/transports/streamable-http, Security & Endpoint; Fetch Standard, HTTP CORS protocol.
    pub fn allowed_origins(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.http.allowed_origins = Some(origins.into_iter().map(Into::into).collect());
        self
    }

    /// Lets in only requests with an access token that was issued for this server, and tells clients where to get one: see
    /// [`Authorization`]. What is wrong with it is reported by [`build`](Self::build).
    ///
    /// Source: basic/authorization.
    #[cfg(feature = "auth")]
    pub fn authorization(mut self, authorization: Authorization) -> Self {
        self.http.authorization = Some(authorization);
        self
    }

    /// The size in bytes of the largest message that is read over HTTP; a larger one gets a 413. 4 MiB without it.
    pub fn max_body_size(mut self, bytes: usize) -> Self {
        self.http.max_body_size = bytes;
        self
    }

    /// How many bytes all messages that are being read over HTTP may have together; one that would need more gets a 503.
    /// Counted is what has come, from the first byte that has until the message has been understood; messages of up to 4 KiB
    /// are not counted. 256 MiB without it. Of these, one client's address may take a quarter, but always a message as large as any
    /// may be; see [`max_connections_per_address`](Self::max_connections_per_address) for what counts as one address.
    pub fn max_body_memory(mut self, bytes: usize) -> Self {
        self.http.max_body_memory = bytes;
        self
    }

    /// How long a session of a handshake-era client may rest before it ends. A call under way and an open event stream count
    /// as activity. 30 minutes without it.
    pub fn session_idle_timeout(mut self, timeout: Duration) -> Self {
        self.http.session_idle_timeout = timeout.min(NEVER);
        self
    }

    /// How many sessions of handshake-era clients may be open at a time; `initialize` gets a 503 when there are as many.
    /// 10,000 without it. Of these, one address may have a quarter, and always ten, of those without a
    /// [`Principal`](crate::Principal); see [`max_connections_per_address`](Self::max_connections_per_address) for what counts as
    /// one address.
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.http.max_sessions = sessions;
        self
    }

    /// Whether handshake-era clients are served over HTTP, which takes sessions in memory. When off, they get a 400 that
    /// names the revisions they would have to speak. On without it.
    pub fn sessions(mut self, on: bool) -> Self {
        self.http.sessions = on;
        self
    }

    /// How many of the sessions may belong to one [`Principal`](crate::Principal); more get a 503. 1,000 without it. Sessions of
    /// requests without one are counted by address: see [`max_sessions`](Self::max_sessions).
    pub fn max_sessions_per_principal(mut self, sessions: usize) -> Self {
        self.http.max_sessions_per_principal = sessions;
        self
    }

    /// Where it is written which sessions there are: in the memory of the process without it. What of a session cannot be
    /// written down (calls under way, open streams) stays in the process that opened it, and so its requests must go there.
    pub fn session_store(mut self, store: impl SessionStore) -> Self {
        self.http.session_store = Some(Arc::new(store));
        self
    }

    /// Where the events of sessions are kept for clients whose connection breaks: in the memory of the process without it,
    /// as [`MemoryEvents::default`](crate::MemoryEvents) does. Set it to `MemoryEvents::new(..)` for other bounds.
    pub fn event_store(mut self, store: impl EventStore) -> Self {
        self.http.event_store = Some(Arc::new(store));
        self
    }

    /// The path under which clients of HTTP+SSE find `sse` and `messages`, as they see it: `/tools` if a stream is opened at
    /// `https://example.com/tools/sse`. They are then told that path. Without it they are told `messages` alone, which leads
    /// to the same place for every client that reads it relative to the stream's URL, whatever proxies have made of the path;
    /// some append it to the host instead. Prefixes that are no path are reported by [`build`](Self::build).
    #[cfg(feature = "sse")]
    pub fn sse_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.http.sse_prefix = Some(prefix.into());
        self
    }
}
