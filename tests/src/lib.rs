//! The server that the integration tests talk to.

#![allow(missing_docs)]

pub mod changing;
pub mod fixture;
