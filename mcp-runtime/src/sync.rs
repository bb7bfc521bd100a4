//! What threads share: the standard library's, and the model checker's when it tries orders of threads in which something might
//! not hold (`cargo xtask schedules`).

#[cfg(all(test, shuttle))]
pub(crate) mod schedules;

#[cfg(all(test, shuttle))]
pub(crate) use schedules::wait_timeout;
#[cfg(all(test, shuttle))]
pub(crate) use shuttle::sync::{Condvar, Mutex, MutexGuard, atomic};
#[cfg(not(all(test, shuttle)))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, atomic};

/// Waits to be notified, but not for longer than `limit`; true if it was so long.
#[cfg(not(all(test, shuttle)))]
pub(crate) fn wait_timeout<'m, T>(
    condition: &Condvar,
    _: &'m Mutex<T>,
    guard: MutexGuard<'m, T>,
    limit: std::time::Duration,
) -> (MutexGuard<'m, T>, bool) {
    let waited = condition.wait_timeout(guard, limit);
    let (guard, time) = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
    (guard, time.timed_out())
}
