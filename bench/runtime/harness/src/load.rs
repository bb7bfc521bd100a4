//! How much is asked at once, for how long, and what came of it.

use crate::statistics::median;
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
        percentile(&mut self.settled, percent)
    }

    /// The median of the percentiles of so many parts of the time. That somebody else had the core for some milliseconds is
    /// seen in one or two of them and not in the rest; what the server does to its calls is seen in all.
    pub(crate) fn usual_percentile(&mut self, percent: usize, parts: usize) -> f64 {
        let length = self.settled.len().div_ceil(parts).max(1);
        median(&self.settled.chunks_mut(length).map(|part| percentile(part, percent)).collect::<Vec<_>>())
    }
}

fn percentile(nanoseconds: &mut [u32], percent: usize) -> f64 {
    let place = (nanoseconds.len() * percent / 100).min(nanoseconds.len().saturating_sub(1));
    match nanoseconds.is_empty() {
        true => f64::NAN,
        false => f64::from(*nanoseconds.select_nth_unstable(place).1) / 1e3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_is_seen_in_one_part_only() {
        let mut tally = Tally { settled: vec![20_000; 1000], ..Tally::default() };
        tally.settled[500..520].fill(3_000_000);
        assert_eq!(tally.usual_percentile(99, 10), 20.0);
        assert_eq!(tally.percentile(99), 3_000.0);
        assert!(Tally::default().usual_percentile(99, 10).is_nan());
    }
}
