//! The server as an OAuth 2.1 resource server: which tokens it takes, and what it says to those who have none.
//!
//! ```text
//! authorization   what the server is called, who issues tokens for it, what they must allow
//! bearer          the token of a request, and nothing else of its headers
//! verifier        what finds out whose a token is: `jwt` by the issuer's keys, `introspection` by asking, or the author's own
//! claims          what must hold of a token, and the principal that comes of it
//! challenge       what a client is told that comes without a token, or with one that is not enough
//! fetch, url      the documents of authorization servers, from where they may come from
//! ```
//!
//! The gate itself is `transport::http::authorize`. A token is a secret: it is taken out of the headers before anybody sees
//! them, and no text, log or `Debug` output contains it.
//!
//! Source: basic/authorization; RFC 6750, RFC 9728, RFC 8707.

mod authorization;
mod bearer;
mod challenge;
mod claims;
mod fetch;
mod introspection;
mod jwt;
mod url;
mod verifier;

pub use authorization::Authorization;
pub(crate) use authorization::Refused;
pub use introspection::IntrospectionVerifier;
pub use jwt::{JwtAlgorithm, JwtVerifier};
pub use verifier::{BearerToken, TokenError, TokenVerifier, VerifyFuture};
