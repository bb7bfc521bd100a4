//! What outlives one message: calls in flight, the state of a handshake, where notifications go.

mod crowd;
mod in_flight;
mod listening;
mod outlet;
mod peer;
mod scope;
#[cfg(feature = "http")]
mod store;
mod subscribers;
mod subscription;
mod voice;

pub(crate) use crowd::{Crowd, CrowdByName, NamedPlace};
pub(crate) use in_flight::{InFlight, NotEntered, Ticket};
pub(crate) use listening::Listening;
pub(crate) use outlet::{BadHeader, Header, Outlet, RequestHeaders, Silent};
pub(crate) use peer::{Handshake, LevelSource, Peer};
pub(crate) use scope::{Scope, ScopeAsking};
#[cfg(feature = "http")]
pub use store::{
    EventStore, KeptEvent, MemoryEvents, MemorySessions, SessionLimits, SessionRecord, SessionRoom, SessionStore,
    StoreError, StoreFuture, StoredEvents,
};
pub(crate) use subscribers::Subscribers;
pub(crate) use subscription::Subscription;
pub(crate) use voice::{Said, Voice};
