//! The limits of every function that has none of its own.

use crate::Server;
use crate::handler::Rate;
use std::num::NonZeroU32;
use std::time::Duration;

/// # Limits
/// Each of these is for every function that does not say something else itself, by the option of the same name: see
/// [the limits of functions](crate::guide::options#limits).
impl Server {
    /// Gives up functions that take longer, unless they have a `timeout` of their own: their future is dropped, or they learn
    /// of it through [`Context::is_cancelled`](crate::Context::is_cancelled) if they block, and the caller gets an error. The
    /// time that a client takes for its answers counts, and so does the time that a call waits for its turn. One hour without it.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.limits.timeout = Some(timeout);
        self
    }

    /// Runs at most `calls` calls of one function at a time; the others wait for their turn, in the order in which they came.
    ///
    /// # Panics
    /// Panics if `calls` is 0.
    pub fn concurrency(mut self, calls: u32) -> Self {
        self.limits.concurrency = Some(at_least_one(calls));
        self
    }

    /// Begins `calls` calls of one function in each `time` on average, whoever calls; others are refused, and their callers told
    /// how long to wait. A function that was quiet may be called so often at once.
    ///
    /// # Panics
    /// Panics if `calls` is 0 or `time` is zero.
    pub fn rate_limit(mut self, calls: u32, time: Duration) -> Self {
        self.limits.rate = Some(rate(calls, time));
        self
    }

    /// Begins `calls` calls of each [`Principal`](crate::Principal) in each `time` on average, whatever functions it calls, beside the
    /// limits of the functions; others are refused, and their callers told how long to wait. Who was quiet may call so often at
    /// once. Callers who are not known are counted together, as those over stdio are. 10,000 principals are counted apart; if more
    /// than that call within `time`, the rest is counted together as well.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let server = mcp_runtime::server!().rate_limit_per_principal(100, Duration::from_secs(60));
    /// ```
    ///
    /// # Panics
    /// Panics if `calls` is 0 or `time` is zero.
    pub fn rate_limit_per_principal(mut self, calls: u32, time: Duration) -> Self {
        self.per_principal.rate = Some(rate(calls, time));
        self
    }

    /// Runs at most `calls` calls of each [`Principal`](crate::Principal) at a time, whatever functions it calls; its others wait for
    /// their turn, in the order in which they came, and hold up nobody else. Callers who are not known have `calls` together, as
    /// those over stdio have, and so has whoever comes while 10,000 principals have calls under way. Completers, and lists of
    /// resources for which functions list instances, take their turn as functions do.
    ///
    /// ```
    /// let server = mcp_runtime::server!().concurrency_per_principal(4).concurrency_per_server(64);
    /// ```
    ///
    /// # Panics
    /// Panics if `calls` is 0.
    pub fn concurrency_per_principal(mut self, calls: u32) -> Self {
        self.per_principal.concurrency = Some(at_least_one(calls));
        self
    }

    /// Begins `calls` calls of functions in each `time` on average, all callers and functions together; others are refused, and their
    /// callers told how long to wait. A server that was quiet may be called so often at once. A call that a limit of its caller or
    /// its function refuses does not count.
    ///
    /// # Panics
    /// Panics if `calls` is 0 or `time` is zero.
    pub fn rate_limit_per_server(mut self, calls: u32, time: Duration) -> Self {
        self.per_server.rate = Some(rate(calls, time));
        self
    }

    /// Runs at most `calls` calls of functions at a time, all callers and functions together; others wait for their turn, in the order
    /// in which they came. A call that waits for the limit of its caller or its function does not wait here yet, and one that asks
    /// the client of a session lets others go on until the answer is there. Completers, and lists of resources for which functions
    /// list instances, take their turn as functions do.
    ///
    /// This is about load that can wait. How many calls may be there at all, running or waiting, is a bound of the server's memory,
    /// which refuses what is beyond.
    ///
    /// # Panics
    /// Panics if `calls` is 0.
    pub fn concurrency_per_server(mut self, calls: u32) -> Self {
        self.per_server.concurrency = Some(at_least_one(calls));
        self
    }

    /// Cuts texts that functions give at so many bytes; what makes no sense in parts becomes an error. 16 MiB without it.
    pub fn max_output(mut self, bytes: usize) -> Self {
        self.limits.max_output = Some(bytes);
        self
    }

    /// Calls a function again, up to `attempts` times, when it fails with an error that is marked
    /// [`transient`](crate::ToolError::transient).
    pub fn retry(mut self, attempts: u32) -> Self {
        self.limits.retry = Some(attempts.min(10));
        self
    }
}

fn at_least_one(calls: u32) -> NonZeroU32 {
    NonZeroU32::new(calls).expect("at least one call at a time")
}

fn rate(calls: u32, time: Duration) -> Rate {
    assert!(!time.is_zero(), "a rate needs a time");
    Rate { calls: NonZeroU32::new(calls).expect("at least one call"), per: time }
}
