//! Trying orders of threads.

use super::{Condvar, Mutex, MutexGuard};
use shuttle::rand::{Rng as _, thread_rng};
use shuttle::scheduler::{DfsScheduler, PctScheduler, RandomScheduler, Scheduler};
use shuttle::{Config, Runner};
use std::sync::PoisonError;
use std::time::Duration;

/// How many orders are tried in each way; `MCP_SCHEDULES` says another number.
const MOST: usize = 2_000;
/// How many changes of threads at bad moments are looked for where these are chosen by priority.
const CHANGES: usize = 3;

/// Runs a scenario in many orders of its threads: one after the other, from the first on; at random; and with few changes of
/// threads, where these do most harm. A scenario in which all threads wait fails as well as one that panics.
pub(crate) fn explore(name: &str, scenario: impl Fn() + Clone + Send + Sync + 'static) {
    explore_at_random(name, scenario.clone());
    let tried = run(DfsScheduler::new(Some(most()), false), scenario);
    eprintln!("{name}: {tried} orders in turn{}", if tried < most() { ", which are all there are" } else { "" });
}

/// The same for a scenario in which time matters: how long something takes is chosen at random.
pub(crate) fn explore_at_random(name: &str, scenario: impl Fn() + Clone + Send + Sync + 'static) {
    let most = most();
    let tried = run(RandomScheduler::new(most), scenario.clone()) + run(PctScheduler::new(CHANGES, most), scenario);
    eprintln!("{name}: {tried} orders at random");
}

fn most() -> usize {
    std::env::var("MCP_SCHEDULES").ok().and_then(|number| number.parse().ok()).unwrap_or(MOST)
}

fn run(scheduler: impl Scheduler + 'static, scenario: impl Fn() + Send + Sync + 'static) -> usize {
    let mut config = Config::new();
    // What is not optimized needs much of it.
    config.stack_size = 512 * 1024;
    // It takes every ordering for the strictest one, and says so.
    config.silence_warnings = true;
    Runner::new(scheduler, config).run(scenario)
}

/// See the other one. Nobody knows how long anything takes: either the time is over at once, or somebody has notified, or it only
/// looks like that. The lock is free meanwhile.
pub(crate) fn wait_timeout<'m, T>(
    _: &Condvar,
    mutex: &'m Mutex<T>,
    guard: MutexGuard<'m, T>,
    _: Duration,
) -> (MutexGuard<'m, T>, bool) {
    drop(guard);
    shuttle::thread::yield_now();
    (mutex.lock().unwrap_or_else(PoisonError::into_inner), thread_rng().r#gen())
}
