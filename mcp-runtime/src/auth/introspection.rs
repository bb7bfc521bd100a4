//! Tokens that only their issuer can read, which is asked about them.
//!
//! Source: RFC 7662; RFC 6749, section 2.3.1.

use super::claims::{self, Expected};
use super::{BearerToken, TokenError, TokenVerifier, VerifyFuture, fetch, url};
use crate::Principal;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// How long an answer is believed, without [`IntrospectionVerifier::cache`].
const LIFETIME: Duration = Duration::from_secs(30);
/// How many answers are kept.
const MOST: usize = 10_000;
/// How many questions are under way at a time.
const QUESTIONS: usize = 64;
const LEEWAY: Duration = Duration::from_secs(30);
/// What may stand in a form as it is.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Asks the authorization server about each token: for tokens that are no JWTs, and for those that must be revocable at once.
///
/// The answer must say that the token is active and, in `aud`, that it is for this server. It is kept for 30 seconds, never
/// beyond the token's expiry, so that a revoked token is refused after that time. At most 10,000 answers are kept, by a digest
/// of the token, and at most 64 questions are under way. The principal's name is issuer and subject with a blank in between;
/// a token that has no subject is its client's, whose name begins with `ISSUER#client`.
///
/// ```
/// use mcp_runtime::{Authorization, IntrospectionVerifier};
///
/// # fn secret() -> String { String::new() }
/// let verifier = IntrospectionVerifier::new(
///     "https://login.example.com",
///     "https://login.example.com/introspect",
///     "mcp-server",
///     secret(),
/// );
/// let authorization = Authorization::new("https://mcp.example.com/mcp", verifier);
/// # let _ = authorization;
/// ```
///
/// Source: RFC 7662.
pub struct IntrospectionVerifier {
    issuer: String,
    endpoint: String,
    credentials: Option<HeaderValue>,
    audience: Audience,
    lifetime: Duration,
    /// By the digest of the token: nobody can read tokens out of the memory of a table.
    known: Mutex<HashMap<[u8; 32], Answer>>,
    questions: Semaphore,
}

/// What an answer must say of whom the token is for.
enum Audience {
    Resource,
    Named(String),
    Anything,
}

struct Answer {
    principal: Principal,
    until: Instant,
}

impl IntrospectionVerifier {
    /// Asks the introspection endpoint of an issuer, as the client of that name and secret. Both URLs begin with `https://`
    /// (or `http://` and a name of this machine). The issuer's identifier is the one in its metadata.
    pub fn new(
        issuer: impl Into<String>,
        endpoint: impl Into<String>,
        client_id: impl AsRef<str>,
        client_secret: impl AsRef<str>,
    ) -> Self {
        let pair = format!("{}:{}", escaped(client_id.as_ref()), escaped(client_secret.as_ref()));
        let credentials = HeaderValue::try_from(format!("Basic {}", STANDARD.encode(pair))).ok().map(|mut value| {
            value.set_sensitive(true);
            value
        });
        IntrospectionVerifier {
            issuer: issuer.into(),
            endpoint: endpoint.into(),
            credentials,
            audience: Audience::Resource,
            lifetime: LIFETIME,
            known: Mutex::default(),
            questions: Semaphore::new(QUESTIONS),
        }
    }

    /// What `aud` of an answer must contain in place of the server's resource identifier.
    #[must_use]
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audience = Audience::Named(audience.into());
        self
    }

    /// Takes answers that do not say whom the token is for. Only for an authorization server that calls a token active if, and
    /// only if, it is for the client that asks.
    #[must_use]
    pub fn trust_active(mut self) -> Self {
        self.audience = Audience::Anything;
        self
    }

    /// How long an answer is believed; zero to ask every time.
    #[must_use]
    pub fn cache(mut self, lifetime: Duration) -> Self {
        self.lifetime = lifetime.min(Duration::from_secs(60 * 60));
        self
    }

    async fn principal(&self, token: BearerToken<'_>) -> Result<Principal, TokenError> {
        let digest = token.digest();
        if let Some(answer) = self.lock().get(&digest).filter(|answer| answer.until > Instant::now()) {
            return Ok(answer.principal.clone());
        }
        let principal = self.ask(token).await?;
        self.keep(digest, &principal);
        Ok(principal)
    }

    async fn ask(&self, token: BearerToken<'_>) -> Result<Principal, TokenError> {
        let endpoint = url::secure(&self.endpoint).map_err(TokenError::unavailable)?;
        let credentials = self.credentials.as_ref().ok_or(TokenError::unavailable("there are no credentials"))?;
        let form = format!("token={}&token_type_hint=access_token", escaped(token.secret()));
        let turn = self.questions.acquire().await.map_err(TokenError::unavailable)?;
        let claims = fetch::post_form(&endpoint, credentials, form).await.map_err(TokenError::unavailable)?;
        drop(turn);
        self.judge(claims, token.resource())
    }

    fn judge(&self, claims: Map<String, Value>, resource: &str) -> Result<Principal, TokenError> {
        if claims.get("active") != Some(&Value::Bool(true)) {
            return Err(TokenError::invalid("the token is not active"));
        }
        if claims.contains_key("iss") && claims::text(&claims, "iss") != Some(&self.issuer) {
            return Err(TokenError::foreign());
        }
        if claims.contains_key("cnf") {
            return Err(TokenError::invalid("the token is bound to a key, which is not checked here"));
        }
        let audience = match &self.audience {
            Audience::Resource => Some(resource),
            Audience::Named(audience) => Some(&**audience),
            Audience::Anything => None,
        };
        let expected = Expected { issuer: &self.issuer, audience, leeway: LEEWAY };
        expected.check_audience(&claims)?;
        let end = expected.check_time(&claims)?;
        let name = match (claims::text(&claims, "sub"), claims::text(&claims, "client_id")) {
            (Some(subject), _) => expected.name(subject),
            (None, Some(client)) => format!("{}#client {client}", self.issuer),
            (None, None) => return Err(TokenError::invalid("the token has no subject")),
        };
        Ok(expected.principal(name, claims, end))
    }

    fn keep(&self, digest: [u8; 32], principal: &Principal) {
        let left = principal.expiry().map(|end| end.duration_since(SystemTime::now()).unwrap_or_default());
        let lifetime = left.map_or(self.lifetime, |left| left.min(self.lifetime));
        if lifetime.is_zero() {
            return;
        }
        let (now, mut known) = (Instant::now(), self.lock());
        if known.len() >= MOST {
            known.retain(|_, answer| answer.until > now);
            // So many clients at a time that their answers do not fit: some are asked about anew.
            if known.len() >= MOST {
                known.clear();
            }
        }
        known.insert(digest, Answer { principal: principal.clone(), until: now + lifetime });
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<[u8; 32], Answer>> {
        // The table is whole after every statement.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn escaped(text: &str) -> impl fmt::Display {
    utf8_percent_encode(text, ESCAPED)
}

impl TokenVerifier for IntrospectionVerifier {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> VerifyFuture<'a> {
        Box::pin(self.principal(token))
    }

    fn issuers(&self) -> Vec<String> {
        vec![self.issuer.clone()]
    }

    fn problems(&self) -> Vec<String> {
        let issuer = url::identifier(&self.issuer, true).err().map(|problem| format!("issuer: {problem}"));
        let endpoint = url::secure(&self.endpoint).err().map(|problem| format!("introspection endpoint: {problem}"));
        issuer.into_iter().chain(endpoint).collect()
    }
}

impl fmt::Debug for IntrospectionVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntrospectionVerifier").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}
