//! On whose behalf a request comes.

use crate::ToolError;
use crate::extract::{Context, FromContext, Needs};
use crate::registry::Access;
use serde_json::{Map, Value};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::SystemTime;

/// Who sends a request, as whatever authenticates requests has found out.
///
/// `Server::authorization` (feature `auth`) makes one of each token. Where something else authenticates requests, it puts one
/// into the extensions of the request before the request reaches the service. A session is for the principal that opened it
/// alone: for everybody else, and for a request without one, there is no such session. The name must stay the same as long as
/// it is the same client, for example issuer and subject of its tokens, never a token itself.
///
/// Without principals whoever knows the id of a session may use it, and functions with `scopes(..)` exist for nobody.
///
/// ```
/// use mcp_runtime::Principal;
///
/// let principal = Principal::new("https://login.example.com ada").with_scopes(["files:read"]);
/// # assert_eq!(principal.as_str(), "https://login.example.com ada");
/// ```
///
/// A function takes it as a parameter. A request without one, as they come over stdio, does not reach such a function; one
/// that takes an `Option<Principal>` can tell.
///
/// ```
/// use mcp_runtime::Principal;
/// use mcp_runtime::prelude::*;
///
/// /// Tells who asks.
/// #[mcp_tool]
/// fn who_am_i(principal: Principal) -> String {
///     let email = principal.claim("email").and_then(|email| email.as_str());
///     email.unwrap_or(principal.as_str()).to_owned()
/// }
/// ```
///
/// Cloning is cheap. `Debug` shows neither claims nor anything else of a token.
#[derive(Clone, PartialEq, Eq)]
pub struct Principal(Arc<Known>);

/// What is known of a principal.
#[derive(Clone, PartialEq, Eq)]
struct Known {
    name: Arc<str>,
    scopes: Arc<[Arc<str>]>,
    claims: Map<String, Value>,
    expiry: Option<SystemTime>,
}

impl Principal {
    /// The principal of that name, without scopes.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        let (name, scopes) = (name.into(), Arc::default());
        Principal(Arc::new(Known { name, scopes, claims: Map::new(), expiry: None }))
    }

    /// Sets what the principal may do in this request: functions with `scopes(..)` exist only for those who have them all.
    #[must_use]
    pub fn with_scopes<S: Into<Arc<str>>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        Arc::make_mut(&mut self.0).scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Sets what else is known, for functions to read: usually the claims of a token. Never put a token itself here.
    #[must_use]
    pub fn with_claims(mut self, claims: Map<String, Value>) -> Self {
        Arc::make_mut(&mut self.0).claims = claims;
        self
    }

    /// Sets when this ends to be known. Event streams on which a server tells of changes end then; a call that has begun is
    /// finished all the same.
    #[must_use]
    pub fn with_expiry(mut self, expiry: SystemTime) -> Self {
        Arc::make_mut(&mut self.0).expiry = Some(expiry);
        self
    }

    /// Its name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0.name
    }

    /// Its scopes.
    pub fn scopes(&self) -> impl Iterator<Item = &str> {
        self.0.scopes.iter().map(|scope| &**scope)
    }

    /// Has it this scope?
    #[must_use]
    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes().any(|held| held == scope)
    }

    /// One of the claims, for example `email`; `None` if there is none of that name.
    #[must_use]
    pub fn claim(&self, name: &str) -> Option<&Value> {
        self.0.claims.get(name)
    }

    /// All claims.
    #[must_use]
    pub fn claims(&self) -> &Map<String, Value> {
        &self.0.claims
    }

    /// When this ends to be known, if that is known.
    #[must_use]
    pub fn expiry(&self) -> Option<SystemTime> {
        self.0.expiry
    }

    /// Its name, to be kept.
    pub(crate) fn name(&self) -> &Arc<str> {
        &self.0.name
    }

    /// What it may use.
    pub(crate) fn access(&self) -> Access {
        Access::Scopes(Arc::clone(&self.0.scopes))
    }
}

impl Hash for Principal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Known { name, scopes, .. } = &*self.0;
        f.debug_struct("Principal").field("name", name).field("scopes", scopes).finish_non_exhaustive()
    }
}

impl FromContext for Principal {
    fn from_context(cx: &Context) -> Result<Self, ToolError> {
        cx.principal()
            .cloned()
            .ok_or_else(|| ToolError::new("This has to know who calls, and the request does not tell."))
    }

    fn needs(needs: &mut Needs) {
        needs.principal();
    }
}

impl FromContext for Option<Principal> {
    fn from_context(cx: &Context) -> Result<Self, ToolError> {
        Ok(cx.principal().cloned())
    }

    fn needs(needs: &mut Needs) {
        needs.principal();
    }
}
