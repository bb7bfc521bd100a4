//! Bytes in, bytes out: the fixture server over stdio, HTTP and memory, in every protocol revision.

#![allow(missing_docs, unreachable_pub)]

mod arguments;
mod bounds;
mod calls;
mod command_line;
mod json_rpc;
mod layers;
mod lists;
mod prompts;
mod questions;
mod resources;
mod results;
mod revisions;
mod schemas;
mod stdio;
mod subscriptions;
mod support;
