//! The headers of a request, for those who must not know HTTP.

use super::reply::Refusal;
use crate::session::{BadHeader, RequestHeaders};
use http::{HeaderMap, HeaderName, StatusCode};
use std::sync::Arc;

/// The header that carries the id of a session.
pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");

impl RequestHeaders for HeaderMap {
    fn get(&self, name: &str) -> Result<Option<&str>, BadHeader> {
        let mut values = self.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Ok(None),
            (Some(value), None) => {
                let text = value.to_str().map_err(|_| BadHeader)?;
                Ok(Some(text.trim_matches([' ', '\t'])))
            }
            (Some(_), Some(_)) => Err(BadHeader),
        }
    }

    fn snapshot(&self) -> Arc<dyn RequestHeaders> {
        Arc::new(self.clone())
    }
}

/// The id of the session that the request names, if it names one.
pub(super) fn session_id(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    RequestHeaders::get(headers, SESSION_ID.as_str()).map_err(|BadHeader| {
        Refusal::new(StatusCode::BAD_REQUEST, "the header `Mcp-Session-Id` is repeated or unreadable")
    })
}
