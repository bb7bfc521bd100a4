//! Whether the server is there, and whether it wants more to do: for whoever starts, watches and chooses processes.

use super::reply::{self, HttpBody};
use super::settings::is_path;
use crate::Server;
use http::header::ALLOW;
use http::{HeaderValue, Method, Response, StatusCode};
use std::sync::Arc;
use std::time::Duration;

/// Where it is asked for.
#[derive(Clone, Default)]
pub(super) struct Health {
    paths: Option<(String, String)>,
    check: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
    /// How long the server goes on when it is to end.
    pub(super) delay: Duration,
}

impl Health {
    pub(super) fn problems(&self) -> Vec<String> {
        let Some((live, ready)) = &self.paths else { return Vec::new() };
        let taken = |path: &&String| {
            !is_path(path) || path.is_empty() || ["/mcp", "/mcp/", "/sse", "/messages"].contains(&path.as_str())
        };
        let text = |path| format!("health: `{path}` is no path such as `/healthz` that is free");
        let mut problems: Vec<String> = [live, ready].into_iter().filter(taken).map(text).collect();
        if live == ready {
            problems.push("health: both paths are the same".to_owned());
        }
        problems
    }

    /// The answer, if the path is one of those. It tells nobody anything else: probes have no token, and name whatever host they
    /// were given.
    pub(super) fn answer(&self, method: &Method, path: &str, is_leaving: bool) -> Option<Response<HttpBody>> {
        let (live, ready) = self.paths.as_ref()?;
        let is_fine = match path {
            path if path == live => true,
            path if path == ready => !is_leaving && self.check.as_ref().is_none_or(|check| check()),
            _ => return None,
        };
        if ![Method::GET, Method::HEAD].contains(method) {
            let mut response = reply::empty(StatusCode::METHOD_NOT_ALLOWED);
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
            return Some(response);
        }
        let (status, text) =
            if is_fine { (StatusCode::OK, "ok\n") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready\n") };
        Some(reply::plain(status, text))
    }
}

/// # Health
impl Server {
    /// Answers at two paths whether the process is there (`live`) and whether it wants requests (`ready`), each with a 200 or, when
    /// it does not, a 503: `.health("/healthz", "/readyz")`. Everybody may ask, without a token, naming any host, and learns nothing
    /// else. A server that has been asked to end is there, but does not want requests. Without this option there are no such
    /// paths; paths that are none, or that are taken, are reported by [`build`](Self::build).
    ///
    /// A server that listens itself answers there as well when it has as many connections as it may have.
    ///
    /// They are for a server that listens itself, and for a service that is a router's fallback.
    pub fn health(mut self, live: impl Into<String>, ready: impl Into<String>) -> Self {
        self.http.health.paths = Some((live.into(), ready.into()));
        self
    }

    /// What has to be true, beside that it is not about to end, for the server to want requests: that a database answered lately,
    /// for example. It is called whenever somebody asks, and must not block.
    pub fn ready_when(mut self, check: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        self.http.health.check = Some(Arc::new(check));
        self
    }

    /// How long a server that listens itself goes on as if nothing had happened when it is asked to end, but for its
    /// [readiness](Self::health), so that whoever chooses between servers has the time to look elsewhere. Nothing without it.
    pub fn shutdown_delay(mut self, delay: Duration) -> Self {
        self.http.health.delay = delay;
        self
    }
}
