//! Calls of functions that are limited: each waits for its turn, and is tried again when it failed in a way that may pass.

use super::run::guarded;
use crate::ask::Rounds;
use crate::handler::{Outcome, Turn};
use crate::registry::CallLimits;
use crate::reply::Unreached;
use crate::session::Scope;
use std::sync::Arc;
use std::time::Duration;

/// The wait before the second attempt; every further one is twice as long, up to [`LONGEST_WAIT`].
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Calls a function within its limits. `attempt` decodes its own copy of the arguments and begins the call.
///
/// The time limit holds for all of it, so that it also bounds the waiting. What the client has answered, and steps that must not
/// run twice, are known to further attempts.
pub(super) fn within_limits<R>(
    limits: &CallLimits,
    scope: &Scope<'_>,
    attempt: impl Fn(&Scope<'_>, Option<Turn>) -> Outcome<R> + Send + 'static,
) -> Outcome<R>
where
    R: Unreached + Send + 'static,
{
    let (context, turns, retry) = (scope.context().clone(), limits.turns.clone(), limits.retry);
    Outcome::Pending(Box::pin(async move {
        let mut failures = 0;
        loop {
            let turn = match &turns {
                // Nobody closes it.
                Some(turns) => Arc::clone(turns).acquire_owned().await.ok().map(Arc::new),
                None => None,
            };
            let outcome = Scope::again(&context, |scope| guarded(scope, || attempt(scope, turn.clone())));
            let reply = match outcome {
                Outcome::Ready(reply) => reply,
                Outcome::Pending(reply) => reply.await,
            };
            drop(turn);
            if failures == retry || !reply.may_pass() {
                return reply;
            }
            context.asking().memory().into_iter().for_each(Rounds::begin_again);
            tokio::time::sleep(wait_after(failures)).await;
            failures += 1;
        }
    }))
}

fn wait_after(failures: u32) -> Duration {
    FIRST_WAIT.saturating_mul(1 << failures.min(16)).min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_a_bound() {
        let waits: Vec<u64> = (0..8).map(|failures| wait_after(failures).as_millis() as u64).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        assert_eq!(wait_after(u32::MAX), LONGEST_WAIT);
    }
}
