//! What a call gives back at once: the reply, or the future that will make it.

use std::future::Future;
use std::pin::Pin;

/// A future that owns everything it needs.
pub(crate) type BoxFuture<R> = Pin<Box<dyn Future<Output = R> + Send + 'static>>;

/// A sync function's reply is there; an async one's future has not been polled yet.
pub enum Outcome<R> {
    /// The function has returned.
    Ready(R),
    /// The function wants to be polled.
    Pending(BoxFuture<R>),
}
