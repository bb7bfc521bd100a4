//! Tokens that are JWTs, signed by their issuer.
//!
//! Source: RFC 7519, RFC 8725, RFC 9068.

mod cache;
mod jws;
mod keys;
mod source;

use super::claims::{self, Expected};
use super::{BearerToken, TokenError, TokenVerifier, VerifyFuture, url};
use crate::Principal;
use cache::{KeyCache, NoKey};
use jws::Jws;
pub use keys::JwtAlgorithm;
use source::Source;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// How far clocks may be apart, without [`JwtVerifier::leeway`].
const LEEWAY: Duration = Duration::from_secs(30);

/// Takes access tokens that are JWTs signed by an authorization server, and checks them without asking it for each.
///
/// The issuer's keys are found by its metadata (RFC 8414, OpenID Connect Discovery), or where [`jwks_uri`](Self::jwks_uri) says.
/// They are fetched when the first token comes, kept for an hour, and fetched anew when a token names an unknown one, so that
/// an issuer can change its keys at any time. When they cannot be fetched, those that are there go on for a day.
///
/// A token must be signed with an asymmetric algorithm that fits the key, come from the issuer (`iss`), be for this server
/// (`aud`, exactly its [resource identifier](crate::Authorization::new)), have a subject (`sub`) and an expiry (`exp`) that lies
/// ahead, and be no other kind of JWT (`typ`). Tokens that are bound to a key of their client (`cnf`) are refused, because nobody
/// would check that. The principal's name is issuer and subject with a blank in between; its scopes are those of `scope` or `scp`.
///
/// ```
/// use mcp_runtime::{Authorization, JwtVerifier};
///
/// let authorization =
///     Authorization::new("https://mcp.example.com/mcp", JwtVerifier::new("https://login.example.com"));
/// # let _ = authorization;
/// ```
///
/// Source: RFC 9068, section 4; RFC 8725.
pub struct JwtVerifier {
    source: Arc<Source>,
    keys: Arc<KeyCache>,
    audience: Option<String>,
    algorithms: Vec<JwtAlgorithm>,
    leeway: Duration,
    only_access_tokens: bool,
}

impl JwtVerifier {
    /// Takes the tokens of an issuer: its identifier, to the letter as its tokens have it in `iss`, a URL that begins with
    /// `https://` (or `http://` and a name of this machine).
    pub fn new(issuer: impl Into<String>) -> Self {
        JwtVerifier {
            source: Arc::new(Source::new(issuer.into())),
            keys: Arc::default(),
            audience: None,
            algorithms: JwtAlgorithm::ALL.to_vec(),
            leeway: LEEWAY,
            only_access_tokens: false,
        }
    }

    /// Where the issuer's keys are (a JWK set, RFC 7517), for issuers without metadata.
    #[must_use]
    pub fn jwks_uri(mut self, uri: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.source).jwks_uri = Some(uri.into());
        self
    }

    /// What `aud` of a token must contain in place of the resource identifier, for authorization servers that call the server
    /// otherwise. It must stand for this server alone: what others accept as well, they could use here.
    #[must_use]
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audience = Some(audience.into());
        self
    }

    /// The algorithms that are taken; all of [`JwtAlgorithm`] without it.
    #[must_use]
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = JwtAlgorithm>) -> Self {
        self.algorithms = algorithms.into_iter().collect();
        self
    }

    /// How far the clocks of the issuer and of this server may be apart; 30 seconds without it.
    #[must_use]
    pub fn leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway.min(Duration::from_secs(24 * 60 * 60));
        self
    }

    /// How long keys are kept before they are fetched anew, beside the requests; an hour without it.
    #[must_use]
    pub fn keys_max_age(mut self, age: Duration) -> Self {
        Arc::make_mut(&mut self.source).max_age = age;
        self
    }

    /// How often keys are fetched at most, however many tokens name unknown ones; every 10 seconds without it.
    #[must_use]
    pub fn keys_interval(mut self, interval: Duration) -> Self {
        Arc::make_mut(&mut self.source).interval = interval;
        self
    }

    /// Takes only tokens that call themselves access tokens (`typ` is `at+jwt`), as RFC 9068 wants. Without it tokens whose
    /// `typ` is `JWT`, or that have none, are good as well: many issuers make no others.
    #[must_use]
    pub fn only_access_tokens(mut self) -> Self {
        self.only_access_tokens = true;
        self
    }

    async fn principal(&self, token: BearerToken<'_>) -> Result<Principal, TokenError> {
        let jws = Jws::parse(token.secret())?;
        self.check_type(jws.header.typ.as_deref())?;
        let algorithm = JwtAlgorithm::from_name(&jws.header.alg);
        let algorithm = algorithm.filter(|algorithm| self.algorithms.contains(algorithm));
        let algorithm = algorithm.ok_or(TokenError::invalid("the token's algorithm is not taken here"))?;
        let claims = jws.claims()?;
        // Before keys are looked up: the tokens of others must not lead to the issuer being asked.
        if claims::text(&claims, "iss") != Some(&self.source.issuer) {
            return Err(TokenError::foreign());
        }
        let key =
            self.keys.find(&self.source, jws.header.kid.as_deref(), algorithm).await.map_err(|why| match why {
                NoKey::Unknown => TokenError::invalid("the token names no key of its issuer"),
                NoKey::Unavailable => TokenError::unavailable("the keys of the issuer cannot be fetched"),
            })?;
        if !key.verifies(algorithm, jws.signed.as_bytes(), &jws.signature) {
            return Err(TokenError::invalid("the token's signature is wrong"));
        }
        let audience = self.audience.as_deref().unwrap_or(token.resource());
        let expected = Expected { issuer: &self.source.issuer, audience: Some(audience), leeway: self.leeway };
        expected.check_audience(&claims)?;
        let end = expected.check_time(&claims)?.ok_or(TokenError::invalid("the token has no expiry"))?;
        if claims.contains_key("cnf") {
            return Err(TokenError::invalid("the token is bound to a key, which is not checked here"));
        }
        let subject = claims::text(&claims, "sub").ok_or(TokenError::invalid("the token has no subject"))?;
        Ok(expected.principal(expected.name(subject), claims, Some(end)))
    }

    /// The types are compared as media types are, whose first part may be left out.
    fn check_type(&self, typ: Option<&str>) -> Result<(), TokenError> {
        let typ = typ.map(str::to_ascii_lowercase);
        let good = match typ.as_deref().map(|typ| typ.strip_prefix("application/").unwrap_or(typ)) {
            Some("at+jwt") => true,
            Some("jwt") | None => !self.only_access_tokens,
            Some(_) => false,
        };
        if good { Ok(()) } else { Err(TokenError::invalid("the token is no access token")) }
    }
}

impl TokenVerifier for JwtVerifier {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> VerifyFuture<'a> {
        Box::pin(self.principal(token))
    }

    fn issuers(&self) -> Vec<String> {
        vec![self.source.issuer.clone()]
    }

    fn problems(&self) -> Vec<String> {
        let issuer = url::identifier(&self.source.issuer, true).err().map(|problem| format!("issuer: {problem}"));
        let keys = self.source.jwks_uri.as_ref().and_then(|uri| url::secure(uri).err());
        let none = self.algorithms.is_empty().then(|| "algorithms: there is none".to_owned());
        issuer.into_iter().chain(keys.map(|problem| format!("jwks_uri: {problem}"))).chain(none).collect()
    }
}

impl fmt::Debug for JwtVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JwtVerifier").field("issuer", &self.source.issuer).finish_non_exhaustive()
    }
}
