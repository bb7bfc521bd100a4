//! What clients read about the authorization of a server.
//!
//! Source: RFC 9728, section 3.

use super::reply::{self, HttpBody};
use crate::auth::Authorization;
use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
    ALLOW, CACHE_CONTROL, CONTENT_TYPE,
};
use http::{HeaderName, HeaderValue, Method, Response, StatusCode};
use std::collections::BTreeSet;

/// The document and where it is looked for.
pub(super) struct Metadata {
    pub(super) paths: BTreeSet<String>,
    document: Bytes,
}

impl Metadata {
    pub(super) fn new(authorization: &Authorization) -> Self {
        let document = authorization.metadata().to_string().into_bytes().into();
        Metadata { paths: authorization.metadata_paths(), document }
    }

    /// The answer, if the path is one of the metadata's.
    pub(super) fn answer(&self, method: &Method, path: &str) -> Option<Response<HttpBody>> {
        self.paths.contains(path).then(|| self.respond(method))
    }

    /// Everybody may read it, from every page: it says what a 401 says as well.
    pub(super) fn respond(&self, method: &Method) -> Response<HttpBody> {
        let (mut response, headers): (_, &[(HeaderName, &str)]) = match *method {
            Method::GET | Method::HEAD => (
                reply::whole(self.document.clone()),
                &[(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "public, max-age=300")],
            ),
            Method::OPTIONS => (
                reply::empty(StatusCode::NO_CONTENT),
                &[
                    (ACCESS_CONTROL_ALLOW_METHODS, "GET"),
                    (ACCESS_CONTROL_ALLOW_HEADERS, "*"),
                    (ACCESS_CONTROL_MAX_AGE, "86400"),
                ],
            ),
            _ => (reply::empty(StatusCode::METHOD_NOT_ALLOWED), &[(ALLOW, "GET, HEAD, OPTIONS")]),
        };
        let headers = headers.iter().chain(&[(ACCESS_CONTROL_ALLOW_ORIGIN, "*")]);
        for (name, value) in headers {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}
