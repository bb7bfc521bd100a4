//! How much is asked at once, for how long, and what came of it.

use std::time::{Duration, Instant};

/// For every answer the next request, until the time is over; or, with a pace, requests when they are due.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    /// Calls in flight; over HTTP each has its connection.
    pub(crate) in_flight: usize,
    pub(crate) time: Duration,
    /// Calls per second, if not as many as there can be.
    pub(crate) pace: Option<f64>,
}

/// What came of one load.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// When the calls were sent that have been answered since the last look at the clock.
    pub(crate) latencies: Vec<Instant>,
    /// Of all calls before, in nanoseconds.
    settled: Vec<u32>,
    pub(crate) seconds: f64,
    /// Notifications that did not come.
    pub(crate) lost: u64,
}

impl Tally {
    /// All that have been answered were answered now.
    pub(crate) fn settle(&mut self, now: Instant) {
        let nanoseconds = |at| u32::try_from(now.saturating_duration_since(at).as_nanos()).unwrap_or(u32::MAX);
        self.settled.extend(self.latencies.drain(..).map(nanoseconds));
    }

    pub(crate) fn calls(&self) -> usize {
        self.settled.len()
    }

    pub(crate) fn per_second(&self) -> f64 {
        self.calls() as f64 / self.seconds
    }

    /// A percentile of the latencies, in microseconds.
    pub(crate) fn percentile(&mut self, percent: usize) -> f64 {
        let place = (self.settled.len() * percent / 100).min(self.settled.len().saturating_sub(1));
        match self.settled.is_empty() {
            true => f64::NAN,
            false => f64::from(*self.settled.select_nth_unstable(place).1) / 1e3,
        }
    }
}
