//! The headers of a request, for those who must not know HTTP.

use super::reply::Refusal;
use crate::session::{BadHeader, Header, RequestHeaders};
use http::header::AsHeaderName;
use http::{HeaderMap, HeaderName, StatusCode};
use std::sync::Arc;

/// The header that carries the id of a session.
pub(super) static SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

static VERSION: HeaderName = HeaderName::from_static(Header::Version.name());
static METHOD: HeaderName = HeaderName::from_static(Header::Method.name());
static NAME: HeaderName = HeaderName::from_static(Header::Name.name());

impl RequestHeaders for HeaderMap {
    fn get(&self, header: Header<'_>) -> Result<Option<&str>, BadHeader> {
        match header {
            Header::Version => only(self, &VERSION),
            Header::Method => only(self, &METHOD),
            Header::Name => only(self, &NAME),
            Header::Other(name) => only(self, name),
        }
    }

    fn snapshot(&self) -> Arc<dyn RequestHeaders> {
        Arc::new(self.clone())
    }
}

/// The headers of one request, with the one that is asked for in every step of it looked up once.
pub(super) struct Head<'a> {
    headers: &'a HeaderMap,
    version: Result<Option<&'a str>, BadHeader>,
}

impl<'a> Head<'a> {
    pub(super) fn new(headers: &'a HeaderMap) -> Self {
        Head { headers, version: only(headers, &VERSION) }
    }
}

impl RequestHeaders for Head<'_> {
    fn get(&self, header: Header<'_>) -> Result<Option<&str>, BadHeader> {
        match header {
            Header::Version => self.version,
            other => RequestHeaders::get(self.headers, other),
        }
    }

    fn snapshot(&self) -> Arc<dyn RequestHeaders> {
        self.headers.snapshot()
    }
}

/// The value of a header that must not come twice.
pub(super) fn only(headers: &HeaderMap, name: impl AsHeaderName) -> Result<Option<&str>, BadHeader> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(|text| Some(text.trim_ascii())).map_err(|_| BadHeader),
        (Some(_), Some(_)) => Err(BadHeader),
    }
}

/// The id of the session that the request names, if it names one.
pub(super) fn session_id(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    only(headers, &SESSION_ID).map_err(|BadHeader| {
        Refusal::new(StatusCode::BAD_REQUEST, "the header `Mcp-Session-Id` is repeated or unreadable")
    })
}
