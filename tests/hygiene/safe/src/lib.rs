//! A library that forbids what nobody may allow again.
#![forbid(unsafe_code, missing_docs, unreachable_pub)]

#[path = "../../everything.rs"]
pub mod everything;
