//! On whose behalf a request comes.

use crate::dispatch::Caller;
use crate::registry::Access;
use http::Extensions;
use std::sync::Arc;

/// Who sends a request, as whatever authenticates requests has found out.
///
/// Put it into the extensions of the request before the request reaches the service. A session is for the principal that
/// opened it alone: for everybody else, and for a request without one, there is no such session. The name must stay the same
/// as long as it is the same client, for example issuer and subject of its tokens, never a token itself.
///
/// Without principals whoever knows the id of a session may use it, and functions with `scopes(..)` exist for nobody.
///
/// ```
/// use mcp_runtime::Principal;
///
/// let principal = Principal::new("https://login.example.com ada").with_scopes(["files:read"]);
/// # assert_eq!(principal.as_str(), "https://login.example.com ada");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Principal {
    name: Arc<str>,
    scopes: Arc<[Arc<str>]>,
}

impl Principal {
    /// The principal of that name, without scopes.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Principal { name: name.into(), scopes: Arc::default() }
    }

    /// Sets what the principal may do in this request: functions with `scopes(..)` exist only for those who have them all.
    #[must_use]
    pub fn with_scopes<S: Into<Arc<str>>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.scopes = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Its name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// Its scopes.
    pub fn scopes(&self) -> impl Iterator<Item = &str> {
        self.scopes.iter().map(|scope| &**scope)
    }
}

/// The name of the principal of a request.
pub(in crate::transport) fn principal(extensions: &Extensions) -> Option<&str> {
    extensions.get::<Principal>().map(Principal::as_str)
}

/// Who calls, for the dispatcher.
pub(in crate::transport) fn caller(principal: Option<&Principal>) -> Caller<'_> {
    match principal {
        Some(Principal { name, scopes }) => Caller { name: Some(name), access: Access::Scopes(Arc::clone(scopes)) },
        None => Caller { name: None, access: Access::Scopes(Arc::default()) },
    }
}
