//! Without the feature `metrics` nothing is counted.

use std::borrow::Cow;
use std::time::Duration;

pub(crate) fn describe() {}

pub(crate) fn ended(
    _method: &'static str,
    _function: Option<(&'static str, &'static str)>,
    _revision: Option<&'static str>,
    _transport: &'static str,
    _error: (Option<Cow<'static, str>>, Option<i32>),
    _duration: Duration,
) {
}

pub(crate) struct Open;

impl Open {
    pub(crate) fn request() -> Self {
        Open
    }

    pub(crate) fn waiting() -> Self {
        Open
    }

    pub(crate) fn waiting_for_thread() -> Self {
        Open
    }

    #[cfg(feature = "http")]
    pub(crate) fn stream() -> Self {
        Open
    }

    #[cfg(feature = "http")]
    pub(crate) fn queued() -> Self {
        Open
    }

    pub(crate) fn subscription() -> Self {
        Open
    }
}

#[cfg(feature = "http")]
pub(crate) struct Session;

#[cfg(feature = "http")]
impl Session {
    pub(crate) fn begin() -> Self {
        Session
    }
}

pub(crate) fn malformed(_transport: &'static str, _code: i32) {}

pub(crate) fn dropped() {}

#[cfg(feature = "http")]
pub(crate) fn refused(_status: http::StatusCode) {}
