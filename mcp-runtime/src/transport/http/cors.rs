//! What browsers have to hear before they let web pages use the server: only those of origins that somebody has listed.
//!
//! Credentials that a browser adds by itself (cookies, certificates) are never asked for: a page that has a token sends it in a
//! header that it sets itself. So no response has `Access-Control-Allow-Credentials`, and none needs it.
//!
//! Source: Fetch Standard, section 3.3 (HTTP CORS protocol); RFC 9110, section 12.5.5 (Vary).

use super::guard::Guard;
use super::reply::{self, HttpBody, Refusal};
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};

/// What the protocol's clients send.
const REQUEST_HEADERS: &str = "Content-Type, Accept, Authorization, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, \
     Mcp-Name, Last-Event-ID";
/// Arguments that are repeated in headers have names of their own behind this.
const PARAMETER: &str = "mcp-param-";
/// What they must be able to read.
const RESPONSE_HEADERS: &str = "Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After, X-Request-Id";
/// How long a browser may remember what it was told, in seconds: as long as the most patient of them would.
const MAX_AGE: &str = "86400";

/// What the response to a request tells a browser.
pub(super) struct Cors {
    /// The page's origin, if it may read the response.
    origin: Option<HeaderValue>,
}

impl Guard {
    /// What is told to the sender of these headers; nothing if no origins are listed.
    pub(super) fn cors(&self, headers: &HeaderMap) -> Option<Cors> {
        if !self.is_shared() {
            return None;
        }
        let mut origins = headers.get_all(ORIGIN).iter();
        let origin = match (origins.next(), origins.next()) {
            (Some(origin), None) => Some(origin).filter(|origin| self.admits_origin(origin)).cloned(),
            _ => None,
        };
        Some(Cors { origin })
    }

    /// A request with a method that a place does not have. A browser that asks what it may send is told, whoever its user is:
    /// then these are the methods.
    pub(in crate::transport) fn other_method(
        &self,
        parts: &Parts,
        methods: &'static str,
    ) -> Result<&'static str, Refusal> {
        let asks = parts.method == Method::OPTIONS
            && parts.headers.contains_key(ORIGIN)
            && parts.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        if asks && self.is_shared() { Ok(methods) } else { Err(Refusal::method(methods)) }
    }
}

impl Cors {
    /// Tells it. What somebody may read whose page comes from anywhere stays like that.
    pub(super) fn apply(self, headers: &mut HeaderMap) {
        // Also without an origin: a cache must not give a page what was meant for nobody.
        headers.append(VARY, HeaderValue::from_static("Origin"));
        if let Some(origin) = self.origin
            && !headers.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN)
        {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(RESPONSE_HEADERS));
        }
    }
}

/// Tells what may be sent to a place that knows these methods.
pub(in crate::transport) fn preflight(asked: &HeaderMap, methods: &'static str) -> Response<HttpBody> {
    let mut response = reply::empty(StatusCode::NO_CONTENT);
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(methods));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, request_headers(asked));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
    response
}

/// The headers that may be sent: those of the protocol, and those of arguments that were asked for.
fn request_headers(asked: &HeaderMap) -> HeaderValue {
    let mut names = REQUEST_HEADERS.to_owned();
    for value in asked.get_all(ACCESS_CONTROL_REQUEST_HEADERS) {
        for name in value.to_str().unwrap_or_default().split(',') {
            // As a name it is in lower case, and has no characters that could end a header.
            let Ok(name) = HeaderName::from_bytes(name.trim_ascii().as_bytes()) else { continue };
            if name.as_str().strip_prefix(PARAMETER).is_some_and(|parameter| !parameter.is_empty()) {
                names.extend([", ", name.as_str()]);
            }
        }
    }
    HeaderValue::try_from(names).unwrap_or_else(|_| HeaderValue::from_static(REQUEST_HEADERS))
}
