//! Without the feature `auth`: an authorization that no server can have, so that nothing else depends on the feature.

use crate::Principal;
use http::request::Parts;
use http::{HeaderValue, StatusCode};
use serde_json::Value;
use std::collections::BTreeSet;

#[derive(Clone)]
pub(crate) enum Authorization {}

pub(crate) struct Refused {
    pub(crate) status: StatusCode,
    pub(crate) text: String,
    pub(crate) challenge: Option<HeaderValue>,
}

impl Authorization {
    pub(crate) fn problems(&self) -> Vec<String> {
        match *self {}
    }

    pub(crate) fn host(&self) -> Option<String> {
        match *self {}
    }

    pub(crate) fn metadata_paths(&self) -> BTreeSet<String> {
        match *self {}
    }

    pub(crate) fn metadata(&self) -> Value {
        match *self {}
    }

    pub(crate) async fn judge(&self, _: &mut Parts) -> Result<Principal, Refused> {
        match *self {}
    }

    pub(crate) fn insufficient(&self, _: &[&str]) -> Refused {
        match *self {}
    }
}
