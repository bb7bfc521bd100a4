//! What HTTP keeps of its clients between requests: which sessions there are, and the events that a client may want again.
//!
//! Both are behind traits, so that a store which several instances share can take the place of the memory of one. What a
//! request waits for is a future, for such a store lies behind a network. What nobody waits for (an event is kept, a session
//! was used) is a plain function that must not block: it stands in the way of every message, also of those that functions
//! send without waiting. A store behind a network puts those writes into a queue of its own.

#[cfg(test)]
mod contract;
mod events;
mod sessions;

pub use events::{EventStore, KeptEvent, MemoryEvents, StoredEvents};
pub use sessions::{MemorySessions, SessionLimits, SessionRecord, SessionRoom, SessionStore};

use std::error::Error;
use std::future::Future;
use std::pin::Pin;

/// Why a store could not do what it was asked to. The text is for the operator's log alone.
pub type StoreError = Box<dyn Error + Send + Sync>;

/// What a store answers, as soon as it can.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;
