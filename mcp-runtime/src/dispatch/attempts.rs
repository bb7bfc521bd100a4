//! The way to authors' code, whatever kind of request asks for it: a call waits for its turn where calls are limited, and is tried
//! again when it failed in a way that may pass.

use super::Core;
use super::methods::Asked;
use super::run::guarded;
use crate::ToolError;
use crate::ask::Rounds;
use crate::extract::Context;
use crate::handler::{BoxFuture, Outcome, Place, Turn};
use crate::meter;
use crate::registry::{CallLimits, Turns};
use crate::reply::Unreached;
use crate::session::Scope;
use crate::wire::RpcError;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

/// The wait before the second attempt; every further one is twice as long, up to [`LONGEST_WAIT`].
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// A call that counts, and may begin. Most have nothing to wait for, and carry nothing.
pub(super) struct Admitted(Option<Box<Queues>>);

impl Asked<'_> {
    /// Counts a call of an author's code: of a function by its limits, of what stands beside functions (completers, lists of instances)
    /// for its caller and for the server alone. An error says how long the caller has to wait.
    pub(super) fn admit(&self, core: &Core, limits: Option<&CallLimits>) -> Result<Admitted, Duration> {
        let own = || limits.map_or(Ok(()), CallLimits::admit);
        let Some(shared) = &core.shared else {
            own()?;
            return Ok(Admitted(Queues::new(None, limits, None)));
        };
        let principal = self.carrier.caller.principal;
        shared.admit(principal, own)?;
        Ok(Admitted(Queues::new(shared.turns_of(principal), limits, shared.turns.clone())))
    }
}

impl Admitted {
    /// Runs the code: `now`, or if it may have to wait, and be tried again, by what `later` gives, which owns all that it needs. A panic
    /// becomes a reply.
    pub(super) fn run<R, A>(
        self,
        scope: &Scope<'_>,
        now: impl FnOnce() -> Outcome<R>,
        later: impl FnOnce() -> A,
    ) -> Outcome<R>
    where
        R: Unreached + Send + 'static,
        A: Fn(&Scope<'_>, Turn) -> Outcome<R> + Send + 'static,
    {
        match self.0 {
            Some(queues) => within_limits(queues, scope, later()),
            None => guarded(scope, now),
        }
    }
}

/// The reply of a function that its server does not have any more when it is its turn.
pub(super) fn gone<R: Unreached>() -> Outcome<R> {
    Outcome::Ready(R::failed(ToolError::rpc(RpcError::internal())))
}

/// Where a call stands in line before it runs.
struct Queues {
    principal: Turns,
    function: Turns,
    server: Turns,
    /// Further attempts after a failure that may pass.
    retry: u32,
}

impl Queues {
    /// None if there is nothing that a call may have to wait for.
    fn new(principal: Turns, limits: Option<&CallLimits>, server: Turns) -> Option<Box<Self>> {
        let is_limited = limits.is_some_and(|limits| limits.turns.is_some() || limits.retry > 0);
        (is_limited || principal.is_some() || server.is_some()).then(|| {
            let (function, retry) = limits.map_or((None, 0), |limits| (limits.turns.clone(), limits.retry));
            Box::new(Queues { principal, function, server, retry })
        })
    }

    /// Waits in one line after the other. Who has many calls waits in its own line first, and all wait for the server last, so that
    /// nobody holds a place of others while it waits for one of its own. That order is everybody's: no two calls wait for each
    /// other.
    async fn turn(&self) -> Turn {
        Turn {
            principal: place(&self.principal).await,
            function: place(&self.function).await,
            server: place(&self.server).await,
        }
    }

    /// Waits for the reply of a function. While the client of a session thinks about a question, others have the server's place: it
    /// is about load, and there is none. The two other places stay, as authors rely on being alone in their function.
    async fn reply<R>(&self, mut reply: BoxFuture<R>, mut turn: Turn, context: &Context) -> R {
        loop {
            let polled = poll_fn(|cx| match reply.as_mut().poll(cx) {
                Poll::Ready(reply) => Poll::Ready(Some(reply)),
                Poll::Pending if turn.server.is_some() && context.is_asking() => Poll::Ready(None),
                Poll::Pending => Poll::Pending,
            });
            if let Some(reply) = polled.await {
                return reply;
            }
            turn.server = None;
            woken().await;
            turn.server = place(&self.server).await;
        }
    }
}

/// Waits for a place, if places are counted.
async fn place(turns: &Turns) -> Place {
    let turns = turns.as_ref()?;
    if let Ok(place) = Arc::clone(turns).try_acquire_owned() {
        return Some(Arc::new(place));
    }
    let _waiting = meter::Open::waiting();
    // Nobody closes it.
    Arc::clone(turns).acquire_owned().await.ok().map(Arc::new)
}

/// Waits until the task is woken, by whatever has been polled before.
async fn woken() {
    let mut is_first = true;
    poll_fn(|_| if std::mem::take(&mut is_first) { Poll::Pending } else { Poll::Ready(()) }).await;
}

/// Calls a function when it is its turn. `attempt` decodes its own copy of the arguments and begins the call.
///
/// The time limit holds for all of it, so that it also bounds the waiting. What the client has answered, and steps that must not
/// run twice, are known to further attempts.
fn within_limits<R>(
    queues: Box<Queues>,
    scope: &Scope<'_>,
    attempt: impl Fn(&Scope<'_>, Turn) -> Outcome<R> + Send + 'static,
) -> Outcome<R>
where
    R: Unreached + Send + 'static,
{
    let context = scope.context().clone();
    Outcome::Pending(Box::pin(async move {
        let mut failures = 0;
        loop {
            let turn = queues.turn().await;
            let outcome = Scope::again(&context, |scope| guarded(scope, || attempt(scope, turn.clone())));
            let reply = match outcome {
                Outcome::Ready(reply) => {
                    drop(turn);
                    reply
                }
                Outcome::Pending(reply) => queues.reply(reply, turn, &context).await,
            };
            if failures == queues.retry || !reply.may_pass() {
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
