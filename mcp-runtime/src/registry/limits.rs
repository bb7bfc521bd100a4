//! The limits of one function while its server runs.

use crate::handler::{Limits, Rate};
use governor::clock::Clock;
use governor::nanos::Nanos;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// The longest time of a rate, which is as good as never: the nanoseconds of two such times and of a server's life must fit into
/// 64 bits.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// What limits the calls of one function, counted over all its callers.
pub(crate) struct CallLimits {
    pub(crate) timeout: Option<Duration>,
    /// In bytes.
    pub(crate) max_output: Option<usize>,
    /// Further attempts after a failure that may pass.
    pub(crate) retry: u32,
    /// A call that runs holds one of these.
    pub(crate) turns: Turns,
    rate: Option<Bucket>,
}

/// A call that runs holds one of these; without any of them there is no limit.
pub(crate) type Turns = Option<Arc<Semaphore>>;

pub(super) fn turns(concurrency: Option<NonZeroU32>) -> Turns {
    concurrency.map(|calls| Arc::new(Semaphore::new(calls.get() as usize)))
}

/// What counts calls against a rate.
pub(super) type Bucket = RateLimiter<NotKeyed, InMemoryState, SinceStart>;

pub(super) fn bucket(rate: Rate) -> Option<Bucket> {
    // One place becomes free after each part of the time; who was quiet may call so often at once.
    let quota = Quota::with_period(rate.per.min(LONGEST) / rate.calls.get())?.allow_burst(rate.calls);
    Some(RateLimiter::direct_with_clock(quota, SinceStart(Instant::now())))
}

/// Counts a call. An error says how long its caller has to wait before there may be another.
pub(super) fn admit(bucket: Option<&Bucket>) -> Result<(), Duration> {
    let Some(bucket) = bucket else { return Ok(()) };
    bucket.check().map_err(|not_until| not_until.wait_time_from(bucket.clock().now()))
}

impl CallLimits {
    pub(super) fn new(limits: Limits) -> Self {
        CallLimits {
            timeout: limits.timeout,
            max_output: limits.max_output,
            retry: limits.retry.unwrap_or(0),
            turns: turns(limits.concurrency),
            rate: limits.rate.and_then(bucket),
        }
    }

    /// Counts a call. An error says how long the caller has to wait before there may be another.
    pub(crate) fn admit(&self) -> Result<(), Duration> {
        admit(self.rate.as_ref())
    }
}

/// A clock that stands still while a test's time does.
#[derive(Debug, Clone)]
pub(super) struct SinceStart(Instant);

impl Clock for SinceStart {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        self.0.elapsed().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_rate_admits_so_many_calls_in_its_time() {
        let rate = Rate { calls: NonZeroU32::new(2).expect("two"), per: Duration::from_secs(10) };
        let limits = CallLimits::new(Limits { rate: Some(rate), ..Limits::default() });
        assert_eq!((limits.admit(), limits.admit()), (Ok(()), Ok(())));
        assert_eq!(limits.admit(), Err(Duration::from_secs(5)));
        tokio::time::advance(Duration::from_secs(5)).await;
        assert_eq!(limits.admit(), Ok(()));
        assert_eq!(limits.admit(), Err(Duration::from_secs(5)));
        tokio::time::advance(Duration::from_secs(60)).await;
        assert_eq!((limits.admit(), limits.admit()), (Ok(()), Ok(())), "quiet times are not saved up beyond the burst");
        assert!(limits.admit().is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn rates_may_be_as_high_and_as_low_as_can_be_said() {
        for per in [Duration::from_nanos(1), Duration::from_secs(1), Duration::from_secs(u64::MAX), Duration::MAX] {
            for calls in [1, 2, u32::MAX] {
                let rate = Rate { calls: NonZeroU32::new(calls).expect("some"), per };
                let limits = CallLimits::new(Limits { rate: Some(rate), ..Limits::default() });
                assert!((0..calls.min(1000)).all(|_| limits.admit().is_ok()), "{calls} in {per:?}");
                tokio::time::advance(Duration::from_secs(30 * 24 * 60 * 60)).await;
                let is_rare = per > LONGEST && calls < 3;
                assert_eq!(limits.admit().is_err(), is_rare, "{calls} in {per:?}");
            }
        }
    }

    #[test]
    fn without_a_rate_every_call_is_admitted() {
        let limits = CallLimits::new(Limits::default());
        assert!((0..1000).all(|_| limits.admit().is_ok()));
    }
}
