//! The transport from outside: requests in, responses out, through the service or over loopback sockets.

mod ask;
mod bodies;
mod bounds;
mod cancellation;
mod connections;
mod cors;
mod fixture;
mod guard;
mod hardening;
mod health;
mod listener;
mod listening;
mod log;
mod mounts;
mod negotiation;
mod patience;
mod principals;
mod proxies;
mod request_ids;
mod resume;
mod scopes;
mod sessions;
#[cfg(feature = "sse")]
mod sse;
mod standing_stream;
mod statuses;
mod stores;
mod streams;
mod wire;
