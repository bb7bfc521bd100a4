//! What must hold for every input, whatever it is: one module a target, with a `check` that panics where it does not.
//!
//! The programs in `fuzz_targets` hand bytes of libFuzzer to them, those of the committed corpora first.
//! Everything goes through the boundaries that clients have: messages of an in-process connection, HTTP requests.
//! Only the bytes of standard input go to the splitter of lines itself.
#![forbid(unsafe_code)]

mod fixture;
mod oracle;
mod peer;
mod shape;
mod template;
mod web;

mod targets;

pub use targets::{auth, cursors, envelope, eras, headers, lines, request_state, revisions, sessions, uri_templates};
