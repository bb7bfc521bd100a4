//! Limits of a function's calls, as its author or the server's has set them.

use std::num::NonZeroU32;
use std::time::Duration;

/// What limits the calls of one function. What is `None` is not limited here.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Limits {
    /// How long a call may take.
    pub(crate) timeout: Option<Duration>,
    /// How many calls may run at a time.
    pub(crate) concurrency: Option<NonZeroU32>,
    /// How many calls may begin in a time.
    pub(crate) rate: Option<Rate>,
    /// How many bytes a reply may have.
    pub(crate) max_output: Option<usize>,
    /// How often a call is tried again whose failure may pass.
    pub(crate) retry: Option<u32>,
}

/// What limits the calls of all functions together.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Shared {
    /// How many calls may run at a time.
    pub(crate) concurrency: Option<NonZeroU32>,
    /// How many calls may begin in a time.
    pub(crate) rate: Option<Rate>,
}

impl Shared {
    pub(crate) fn is_none(&self) -> bool {
        self.concurrency.is_none() && self.rate.is_none()
    }
}

/// So many calls in a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    pub(crate) calls: NonZeroU32,
    pub(crate) per: Duration,
}

impl Limits {
    /// What limits functions where neither they nor their server say anything.
    pub(crate) fn of_servers() -> Self {
        Limits { timeout: Some(Duration::from_secs(60 * 60)), max_output: Some(16 * 1024 * 1024), ..Limits::default() }
    }

    /// These, and those of `others` where these have none.
    pub(crate) fn or(self, others: Limits) -> Limits {
        Limits {
            timeout: self.timeout.or(others.timeout),
            concurrency: self.concurrency.or(others.concurrency),
            rate: self.rate.or(others.rate),
            max_output: self.max_output.or(others.max_output),
            retry: self.retry.or(others.retry),
        }
    }
}
