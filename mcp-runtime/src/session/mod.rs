//! What outlives one message: calls in flight, the state of a handshake, where notifications go.

mod in_flight;
mod outlet;
mod peer;
mod scope;
mod subscribers;

pub(crate) use in_flight::{InFlight, Ticket};
pub(crate) use outlet::{BadHeader, Outlet, RequestHeaders, Silent};
pub(crate) use peer::{Handshake, LevelSource, Peer};
pub(crate) use scope::{Scope, ScopeAsking};
pub(crate) use subscribers::Subscribers;
