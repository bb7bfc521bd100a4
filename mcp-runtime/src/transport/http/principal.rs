//! On whose behalf a request comes, and for how long that holds.

use super::visitor::Visitor;
use crate::Principal;
use crate::dispatch::Caller;
use crate::registry::Access;
use http::Extensions;
use std::sync::Arc;
use std::time::SystemTime;
use tokio::time::Instant;

/// The name of the principal of a request.
pub(in crate::transport) fn principal(extensions: &Extensions) -> Option<&str> {
    extensions.get::<Principal>().map(Principal::as_str)
}

/// Who calls, for the dispatcher.
pub(in crate::transport) fn caller<'p>(principal: Option<&'p Principal>, visitor: &Visitor) -> Caller<'p> {
    Caller { principal, access: access(principal), address: visitor.address }
}

/// What a request may use.
pub(in crate::transport) fn access(principal: Option<&Principal>) -> Access {
    principal.map_or_else(|| Access::Scopes(Arc::default()), Principal::access)
}

/// When a stream that a principal opens must end, if it must. What lies further ahead than clocks reach never comes.
pub(in crate::transport) fn expiry(principal: Option<&Principal>) -> Option<Instant> {
    let left = principal?.expiry()?.duration_since(SystemTime::now()).unwrap_or_default();
    Instant::now().checked_add(left)
}
