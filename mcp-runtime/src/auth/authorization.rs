//! What a server says of its authorization, and what it asks of requests.

use super::bearer::{self, Presented};
use super::challenge::Challenge;
use super::{BearerToken, TokenVerifier, url};
use crate::Principal;
use http::request::Parts;
use http::{HeaderValue, StatusCode, Uri};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// Where the metadata of a resource is, in front of its path.
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
/// No token of any use is longer.
const MAX_LENGTH: usize = 16 * 1024;
/// How long a verifier may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Makes a server over HTTP an OAuth 2.1 resource server: every request needs an access token that was issued for it.
///
/// Give it to [`Server::authorization`](crate::Server::authorization). Requests without a good token get a 401 that tells where
/// the server's metadata is (RFC 9728), in which clients find the authorization server; the server itself issues no tokens. A
/// call of a function whose `scopes(..)` the token does not have gets a 403 that names them, so that a client can ask its user
/// for more; lists show what the token may use. Requests are judged before their bodies are read, and no function sees a
/// token: what is known of it is the [`Principal`].
///
/// ```no_run
/// use mcp_runtime::prelude::*;
/// use mcp_runtime::{Authorization, JwtVerifier};
///
/// /// Reads the notes of whoever asks.
/// #[mcp_tool(scopes("notes:read"))]
/// fn notes(principal: Principal) -> Vec<String> {
///     vec![format!("{} has no notes", principal.as_str())]
/// }
///
/// mcp_main!(server!().authorization(Authorization::new(
///     "https://mcp.example.com/mcp",
///     JwtVerifier::new("https://login.example.com"),
/// )));
/// ```
///
/// It concerns HTTP alone: over stdio whoever has started the server may use all of it.
///
/// Source: basic/authorization; RFC 9728, RFC 6750.
#[derive(Clone)]
pub struct Authorization {
    resource: String,
    verifier: Arc<dyn TokenVerifier>,
    servers: Vec<String>,
    required: Vec<String>,
    supported: Vec<String>,
    implied: Vec<(String, Vec<String>)>,
    name: Option<String>,
    documentation: Option<String>,
}

/// Why a request is turned away.
pub(crate) struct Refused {
    pub(crate) status: StatusCode,
    pub(crate) text: String,
    /// The value of `WWW-Authenticate`; none if no token would change anything.
    pub(crate) challenge: Option<HeaderValue>,
}

impl Authorization {
    /// Protects the server that clients know under this identifier: the URL of its endpoint as clients write it, such as
    /// `https://mcp.example.com/mcp`, without a query. Tokens are issued for it to the letter, so a slash at its end counts.
    /// Its host is then one under which the server may be reached, if
    /// [`allowed_hosts`](crate::Server::allowed_hosts) says nothing.
    pub fn new(resource: impl Into<String>, verifier: impl TokenVerifier) -> Self {
        Authorization {
            resource: resource.into(),
            verifier: Arc::new(verifier),
            servers: Vec::new(),
            required: Vec::new(),
            supported: Vec::new(),
            implied: Vec::new(),
            name: None,
            documentation: None,
        }
    }

    /// Names an authorization server in the metadata, by its issuer identifier. Without it the verifier's own.
    #[must_use]
    pub fn authorization_server(mut self, issuer: impl Into<String>) -> Self {
        self.servers.push(issuer.into());
        self
    }

    /// What every token must allow, whatever it is used for; nothing without it. Clients that come without a token are told to
    /// ask for these.
    #[must_use]
    pub fn required_scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.required = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// What clients are told to ask for in the beginning, beside the [required scopes](Self::required_scopes): the least that
    /// makes the server useful. It stands in the metadata and in the challenge of a 401.
    #[must_use]
    pub fn scopes_supported<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.supported = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Says that whoever has the broader scope has the narrower ones as well, and what those imply in turn.
    #[must_use]
    pub fn scope_implies<S: Into<String>>(
        mut self,
        broader: impl Into<String>,
        narrower: impl IntoIterator<Item = S>,
    ) -> Self {
        self.implied.push((broader.into(), narrower.into_iter().map(Into::into).collect()));
        self
    }

    /// What people are told that the server is called, in the metadata.
    #[must_use]
    pub fn resource_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// A page for developers on how to use the server, in the metadata.
    #[must_use]
    pub fn documentation(mut self, url: impl Into<String>) -> Self {
        self.documentation = Some(url.into());
        self
    }

    /// What is wrong with it.
    pub(crate) fn problems(&self) -> Vec<String> {
        let problem = |what: &str, problem: String| format!("authorization: {what}: {problem}");
        let mut problems: Vec<String> = self.verifier.problems().into_iter().map(|p| problem("verifier", p)).collect();
        problems.extend(url::identifier(&self.resource, true).err().map(|p| problem("resource", p)));
        let servers = self.servers();
        problems.extend(
            servers.iter().filter_map(|server| url::identifier(server, true).err()).map(|p| problem("server", p)),
        );
        if servers.is_empty() {
            problems.push(problem("server", "name the authorization server, which the verifier does not".to_owned()));
        }
        let implied = self.implied.iter().flat_map(|(broader, narrower)| narrower.iter().chain([broader]));
        for scope in self.required.iter().chain(&self.supported).chain(implied).filter(|scope| !is_scope(scope)) {
            problems.push(problem("scopes", format!("`{scope}` is no scope: use ASCII without blanks, `\"` and `\\`")));
        }
        if self.required.iter().chain(&self.supported).any(|scope| scope == "offline_access") {
            problems.push(problem("scopes", "`offline_access` is between client and authorization server".to_owned()));
        }
        problems
    }

    fn servers(&self) -> Vec<String> {
        if self.servers.is_empty() { self.verifier.issuers() } else { self.servers.clone() }
    }

    fn uri(&self) -> Uri {
        self.resource.parse().unwrap_or_default()
    }

    /// The host under which clients know the server.
    pub(crate) fn host(&self) -> Option<String> {
        self.uri().host().map(str::to_owned)
    }

    /// The paths at which clients look for the metadata: that of this resource, and the one of the whole host.
    pub(crate) fn metadata_paths(&self) -> BTreeSet<String> {
        BTreeSet::from([format!("{WELL_KNOWN}{}", url::path(&self.uri())), WELL_KNOWN.to_owned()])
    }

    /// The metadata.
    ///
    /// Source: RFC 9728, section 2.
    pub(crate) fn metadata(&self) -> Value {
        let mut metadata = json!({
            "resource": self.resource,
            "authorization_servers": self.servers(),
            "bearer_methods_supported": ["header"],
        });
        let scopes = joined(&self.required, &self.supported);
        if !scopes.is_empty() {
            metadata["scopes_supported"] = json!(scopes);
        }
        for (name, text) in [("resource_name", &self.name), ("resource_documentation", &self.documentation)] {
            if let Some(text) = text {
                metadata[name] = json!(text);
            }
        }
        metadata
    }

    /// Finds out who sends a request. Whatever comes of it, the token is not in the headers any more.
    pub(crate) async fn judge(&self, parts: &mut Parts) -> Result<Principal, Refused> {
        let token = match bearer::take(&mut parts.headers, parts.uri.query()) {
            Presented::Token(token) if token.len() > MAX_LENGTH => return Err(self.no_good("the token is too long")),
            Presented::Token(token) => token,
            Presented::Nothing => return Err(self.refuse(StatusCode::UNAUTHORIZED, None)),
            Presented::Malformed(text) => {
                return Err(self.refuse(StatusCode::BAD_REQUEST, Some(("invalid_request", text))));
            }
        };
        let verifying = self.verifier.verify(BearerToken::new(&token, &self.resource));
        let verified = timeout(PATIENCE, verifying).await;
        let principal = match verified {
            Ok(Ok(principal)) => self.broadened(principal),
            Ok(Err(error)) => {
                return Err(match error.description() {
                    Some(text) => self.no_good(text),
                    None => unavailable(&error),
                });
            }
            Err(elapsed) => return Err(unavailable(&elapsed)),
        };
        match self.required.iter().all(|scope| principal.has_scope(scope)) {
            true => Ok(principal),
            false => Err(self.insufficient(&[])),
        }
    }

    /// Turns a request away whose token does not allow what it asks for.
    pub(crate) fn insufficient(&self, needed: &[&str]) -> Refused {
        let error = ("insufficient_scope", "the token does not allow this");
        self.challenge(StatusCode::FORBIDDEN, Some(error), &joined(&self.required, needed))
    }

    /// Turns a request away whose token is no good.
    fn no_good(&self, text: &str) -> Refused {
        tracing::debug!(reason = text, "a token was refused");
        self.refuse(StatusCode::UNAUTHORIZED, Some(("invalid_token", text)))
    }

    /// Turns a request away whose token is no good, or that has none: it should come back with one as in the beginning.
    fn refuse(&self, status: StatusCode, error: Option<(&'static str, &str)>) -> Refused {
        self.challenge(status, error, &joined(&self.required, &self.supported))
    }

    fn challenge(&self, status: StatusCode, error: Option<(&'static str, &str)>, scopes: &[&str]) -> Refused {
        let uri = self.uri();
        let metadata = format!("{}{WELL_KNOWN}{}", url::origin(&uri), url::path(&uri));
        let challenge = Challenge { error, scopes, metadata: &metadata }.value();
        let text = error.map_or("an access token is needed", |(_, text)| text).to_owned();
        Refused { status, text, challenge: Some(challenge) }
    }

    /// The principal with what its scopes imply.
    fn broadened(&self, principal: Principal) -> Principal {
        if self.implied.is_empty() {
            return principal;
        }
        let mut held: Vec<String> = principal.scopes().map(str::to_owned).collect();
        let mut next = 0;
        while let Some(scope) = held.get(next).cloned() {
            let implied =
                self.implied.iter().filter(|(broader, _)| *broader == scope).flat_map(|(_, narrower)| narrower);
            let news: Vec<String> = implied.filter(|scope| !held.contains(scope)).cloned().collect();
            held.extend(news);
            next += 1;
        }
        principal.with_scopes(held)
    }
}

/// Scopes, each once.
fn joined<'s>(some: &'s [String], more: &'s [impl AsRef<str>]) -> Vec<&'s str> {
    let mut scopes: Vec<&str> = Vec::new();
    for scope in some.iter().map(String::as_str).chain(more.iter().map(AsRef::as_ref)) {
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    scopes
}

/// The verifier cannot tell. Why is for the log alone.
fn unavailable(cause: &dyn fmt::Display) -> Refused {
    tracing::error!(%cause, "a token cannot be verified");
    let text = "the server cannot verify tokens at the moment".to_owned();
    Refused { status: StatusCode::SERVICE_UNAVAILABLE, text, challenge: None }
}

/// Source: RFC 6749, section 3.3.
fn is_scope(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| matches!(b, b'!' | b'#'..=b'[' | b']'..=b'~'))
}

impl fmt::Debug for Authorization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorization").field("resource", &self.resource).finish_non_exhaustive()
    }
}
