//! Finds out whose a token is.

use crate::Principal;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// The token that a request presents. It is a secret: `Debug` does not show it, and nothing else should.
#[derive(Clone, Copy)]
pub struct BearerToken<'a> {
    secret: &'a str,
    resource: &'a str,
}

impl<'a> BearerToken<'a> {
    pub(super) fn new(secret: &'a str, resource: &'a str) -> Self {
        BearerToken { secret, resource }
    }

    /// The token itself, text of the characters that RFC 6750, section 2.1, allows.
    #[must_use]
    pub fn secret(&self) -> &'a str {
        self.secret
    }

    /// The resource identifier of the server: a token that was not issued for it must be refused.
    #[must_use]
    pub fn resource(&self) -> &'a str {
        self.resource
    }

    /// Is it this one? Takes as long for any wrong one, so that nobody can guess a token letter by letter.
    #[must_use]
    pub fn is(&self, expected: &str) -> bool {
        // Nobody can choose what the digests compare to each other.
        self.digest() == Sha256::digest(expected.as_bytes()).as_slice()
    }

    /// Stands for the token where it is to be recognized without being kept.
    pub(super) fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.secret.as_bytes()).into()
    }
}

impl fmt::Debug for BearerToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BearerToken").field("resource", &self.resource).finish_non_exhaustive()
    }
}

const FOREIGN: &str = "the token is of another issuer";

/// Why no principal comes of a token.
#[derive(Debug)]
pub struct TokenError(Kind);

#[derive(Debug)]
enum Kind {
    /// Another verifier may know more.
    Foreign,
    Invalid(Cow<'static, str>),
    Unavailable(Box<dyn Error + Send + Sync>),
}

impl TokenError {
    /// The token is not good here: the client gets a 401 with this description, such as `the token has expired`. It must not
    /// contain anything of the token.
    pub fn invalid(description: impl Into<Cow<'static, str>>) -> Self {
        TokenError(Kind::Invalid(description.into()))
    }

    /// The token cannot be judged at the moment: the client gets a 503, the log the cause. A 401 would make clients throw good
    /// tokens away.
    pub fn unavailable(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        TokenError(Kind::Unavailable(cause.into()))
    }

    /// The token says of itself that it is another issuer's.
    pub(super) fn foreign() -> Self {
        TokenError(Kind::Foreign)
    }

    /// How much it tells.
    fn weight(&self) -> u8 {
        match self.0 {
            Kind::Foreign => 0,
            Kind::Invalid(_) => 1,
            Kind::Unavailable(_) => 2,
        }
    }

    /// What the client is told, if the token is to blame.
    pub(crate) fn description(&self) -> Option<&str> {
        match &self.0 {
            Kind::Foreign => Some(FOREIGN),
            Kind::Invalid(description) => Some(description),
            Kind::Unavailable(_) => None,
        }
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Foreign => f.write_str(FOREIGN),
            Kind::Invalid(description) => f.write_str(description),
            Kind::Unavailable(cause) => cause.fmt(f),
        }
    }
}

impl Error for TokenError {}

/// The principal of a token, as soon as it is known.
pub type VerifyFuture<'a> = Pin<Box<dyn Future<Output = Result<Principal, TokenError>> + Send + 'a>>;

/// Finds out whose a token is, and whether it was issued for this server.
///
/// [`JwtVerifier`](crate::JwtVerifier) and [`IntrospectionVerifier`](crate::IntrospectionVerifier) are there; this is for what
/// else there may be. It is asked for every request, before the body of the request is read.
///
/// ```
/// use mcp_runtime::{BearerToken, Principal, TokenError, TokenVerifier, VerifyFuture};
///
/// /// Knows one token, which was handed out by hand for this server alone.
/// struct OneToken(String);
///
/// impl TokenVerifier for OneToken {
///     fn verify<'a>(&'a self, token: BearerToken<'a>) -> VerifyFuture<'a> {
///         Box::pin(async move {
///             match token.is(&self.0) {
///                 true => Ok(Principal::new("operator").with_scopes(["notes:read"])),
///                 false => Err(TokenError::invalid("the token is not known here")),
///             }
///         })
///     }
/// }
/// ```
pub trait TokenVerifier: Send + Sync + 'static {
    /// Gives the principal of a token. Its name must differ for subjects of different issuers, and it should have an
    /// [expiry](crate::Principal::with_expiry), at which event streams end. Dropping the future gives the request up.
    ///
    /// # Errors
    /// The token is not good, or that cannot be found out at the moment.
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> VerifyFuture<'a>;

    /// The authorization servers whose tokens it takes, for the server's metadata: their issuer identifiers.
    fn issuers(&self) -> Vec<String> {
        Vec::new()
    }

    /// What is wrong with its settings, for the errors of a build.
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Any of several, for a server that takes the tokens of more than one issuer: they are asked in turn, and the first one that
/// takes the token decides. A token that none takes is refused as by the one that knows most about it.
///
/// ```
/// use mcp_runtime::{Authorization, JwtVerifier};
///
/// let issuers = ["https://login.example.com", "https://login.example.org"];
/// let verifiers: Vec<JwtVerifier> = issuers.into_iter().map(JwtVerifier::new).collect();
/// let authorization = Authorization::new("https://mcp.example.com/mcp", verifiers);
/// # let _ = authorization;
/// ```
impl<V: TokenVerifier> TokenVerifier for Vec<V> {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> VerifyFuture<'a> {
        Box::pin(async move {
            let mut reason = TokenError::foreign();
            for verifier in self {
                match verifier.verify(token).await {
                    Ok(principal) => return Ok(principal),
                    Err(error) if error.weight() > reason.weight() => reason = error,
                    Err(_) => {}
                }
            }
            Err(reason)
        })
    }

    fn issuers(&self) -> Vec<String> {
        self.iter().flat_map(TokenVerifier::issuers).collect()
    }

    fn problems(&self) -> Vec<String> {
        self.iter().flat_map(TokenVerifier::problems).collect()
    }
}

/// For verifiers of different kinds in one list.
impl<V: TokenVerifier + ?Sized> TokenVerifier for Box<V> {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> VerifyFuture<'a> {
        (**self).verify(token)
    }

    fn issuers(&self) -> Vec<String> {
        (**self).issuers()
    }

    fn problems(&self) -> Vec<String> {
        (**self).problems()
    }
}
