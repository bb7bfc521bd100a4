//! What the tests of authorization share: issuers on this machine, and requests to a server.

mod ask;
mod issuer;
mod keys;

pub use ask::{Ask, Reply, events};
pub use issuer::Issuer;
pub use keys::{Key, now, unsigned};
