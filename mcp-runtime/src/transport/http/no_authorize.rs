//! Without authorization: whoever comes from where one may come from gets in.

use super::Shared;
use super::reply::{HttpBody, Refusal};
use crate::dispatch::Message;
use crate::registry::Access;

use http::request::Parts;
use http::{Method, Response};

impl Shared {
    #[allow(clippy::unused_async)]
    pub(in crate::transport) async fn admit(&self, parts: &mut Parts) -> Result<(), Refusal> {
        self.guard.check(parts)
    }

    #[allow(clippy::unused_self, clippy::unnecessary_wraps)]
    pub(in crate::transport) fn check_scopes(&self, _: &Message<'_>, _: &Access) -> Result<(), Refusal> {
        Ok(())
    }

    #[allow(clippy::unused_self, clippy::unnecessary_wraps)]
    pub(in crate::transport) fn check_scopes_of_batch(&self, _: &str, _: &Access) -> Result<(), Refusal> {
        Ok(())
    }

    #[allow(clippy::unused_self)]
    pub(super) fn metadata(&self, _: &Method, _: &str) -> Option<Response<HttpBody>> {
        None
    }
}
