//! How messages travel. A transport knows bytes and whom they come from, nothing of what they mean.

mod duplex;
#[cfg(feature = "http")]
pub(crate) mod http;
mod memory;
#[cfg(any(feature = "http", feature = "stdio"))]
mod signals;
#[cfg(feature = "sse")]
mod sse;
#[cfg(feature = "stdio")]
pub(crate) mod stdio;

#[cfg(feature = "auth")]
pub use http::MetadataService;
#[cfg(feature = "tls")]
pub use http::Tls;
#[cfg(feature = "http")]
pub use http::{ForwardingHeader, HttpBody, HttpListener, HttpService, PeerAddress};
pub use memory::Connection;
#[cfg(feature = "cli")]
pub(crate) use memory::{Receiver, Sender};
#[cfg(feature = "sse")]
pub use sse::SseService;
