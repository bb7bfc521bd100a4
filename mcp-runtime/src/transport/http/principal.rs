//! On whose behalf a request comes.

use http::Extensions;
use std::sync::Arc;

/// Who sends a request, as whatever authenticates requests has found out.
///
/// Put it into the extensions of the request before the request reaches the service. A session is for the principal that
/// opened it alone: for everybody else, and for a request without one, there is no such session. The name must stay the same
/// as long as it is the same client, for example issuer and subject of its tokens, never a token itself.
///
/// Without principals whoever knows the id of a session may use it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Principal(Arc<str>);

impl Principal {
    /// The principal of that name.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Principal(name.into())
    }

    /// Its name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name of the principal of a request.
pub(in crate::transport) fn principal(extensions: &Extensions) -> Option<&str> {
    extensions.get::<Principal>().map(Principal::as_str)
}
