//! The headers of a request, for those who must not know HTTP.

use super::reply::Refusal;
use crate::session::{BadHeader, Header, RequestHeaders};
use http::header::AsHeaderName;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use std::sync::Arc;

/// The header that carries the id of a session.
pub(super) static SESSION_ID: HeaderName = HeaderName::from_static(SESSION);

const SESSION: &str = "mcp-session-id";
const VERSION: &str = Header::Version.name();
const METHOD: &str = Header::Method.name();
const NAME: &str = Header::Name.name();

/// What a header says that must not come twice.
type Single<'a> = Result<Option<&'a str>, BadHeader>;

/// The headers of one request. Those that the protocol gives a meaning are found in one walk over all of them: a look into
/// the table for each would cost more.
pub(in crate::transport) struct Head<'a> {
    headers: &'a HeaderMap,
    version: Single<'a>,
    method: Single<'a>,
    name: Single<'a>,
    session: Single<'a>,
}

impl<'a> Head<'a> {
    pub(in crate::transport) fn new(headers: &'a HeaderMap) -> Self {
        let mut head = Head { headers, version: Ok(None), method: Ok(None), name: Ok(None), session: Ok(None) };
        for (name, value) in headers {
            let single = match name.as_str() {
                VERSION => &mut head.version,
                METHOD => &mut head.method,
                NAME => &mut head.name,
                SESSION => &mut head.session,
                _ => continue,
            };
            *single = if matches!(single, Ok(None)) { readable(value) } else { Err(BadHeader) };
        }
        head
    }

    /// The id of the session that the request names, if it names one.
    pub(super) fn session_id(&self) -> Result<Option<&'a str>, Refusal> {
        self.session.map_err(|BadHeader| {
            Refusal::new(StatusCode::BAD_REQUEST, "the header `Mcp-Session-Id` is repeated or unreadable")
        })
    }
}

impl RequestHeaders for Head<'_> {
    fn get(&self, header: Header<'_>) -> Result<Option<&str>, BadHeader> {
        match header {
            Header::Version => self.version,
            Header::Method => self.method,
            Header::Name => self.name,
            Header::Other(name) => only(self.headers, name),
        }
    }

    fn snapshot(&self) -> Arc<dyn RequestHeaders> {
        Arc::new(Snapshot(self.headers.clone()))
    }
}

/// Headers that outlive their request.
struct Snapshot(HeaderMap);

impl RequestHeaders for Snapshot {
    fn get(&self, header: Header<'_>) -> Result<Option<&str>, BadHeader> {
        only(&self.0, header.name())
    }

    fn snapshot(&self) -> Arc<dyn RequestHeaders> {
        Arc::new(Snapshot(self.0.clone()))
    }
}

/// The value of a header that must not come twice.
pub(super) fn only(headers: &HeaderMap, name: impl AsHeaderName) -> Single<'_> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => readable(value),
        (Some(_), Some(_)) => Err(BadHeader),
    }
}

/// What a value says, without the space around it.
fn readable(value: &HeaderValue) -> Single<'_> {
    value.to_str().map(|text| Some(text.trim_ascii())).map_err(|_| BadHeader)
}
