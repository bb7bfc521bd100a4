//! Model Context Protocol servers from plain annotated functions.
//!
//! ```no_run
//! use mcp_runtime::prelude::*;
//!
//! /// Adds two numbers.
//! #[mcp_tool]
//! fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! mcp_main!();
//! ```
//!
//! | attribute | stands on | makes of it |
//! |---|---|---|
//! | [`#[mcp_tool]`](macro@mcp_tool) | a function | something that a model calls |
//! | [`#[mcp_resource]`](macro@mcp_resource) | a function | something that a client reads by its URI |
//! | [`#[mcp_prompt]`](macro@mcp_prompt) | a function | messages that a person asks for |
//! | [`#[mcp_type]`](macro@mcp_type) | a struct, an enum | an argument, a part of one, or a result |
//! | [`#[mcp_server]`](macro@mcp_server) | an `impl` | tools, resources and prompts of its methods |
//! | [`#[mcp_module]`](macro@mcp_module) | a module | one whose functions have a prefix and a list |
//!
//! The [`guide`] leads from the first tool to [state](guide::state), [errors](guide::results),
//! [resources](guide::resources), [prompts](guide::prompts), [questions to the client](guide::asking),
//! [serving](guide::serving), [networks](guide::network), [authorization](guide::authorization) and [testing](guide::testing). To look up are
//! [the options of functions](guide::options) and [of arguments](guide::arg).
//!
//! [`Context`] is the request as a function sees it, [`Server`] the server as a program sets it up, [`ServerHandle`] the way
//! to change it while it runs, and [`testing`] has a client for tests.

// What a missing feature leaves unused is no fault: the lints over every feature see what nobody uses at all.
#![cfg_attr(
    not(all(
        feature = "auth",
        feature = "cli",
        feature = "http2",
        feature = "log",
        feature = "metrics",
        feature = "sse",
        feature = "stdio",
        feature = "tls",
        feature = "validate"
    )),
    allow(dead_code, unused_imports)
)]

// Expansions name this crate by its public name, also inside of it.
#[cfg(test)]
extern crate self as mcp_runtime;

#[doc(hidden)]
pub mod __private;
mod ask;
mod audit;
#[cfg(feature = "auth")]
mod auth;
#[cfg(all(feature = "http", not(feature = "auth")))]
#[path = "no_auth.rs"]
mod auth;
mod bounds;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "log")]
mod client_logs;
#[cfg(not(feature = "log"))]
#[path = "no_client_logs.rs"]
mod client_logs;
mod completion;
mod contain;
mod dispatch;
mod error;
mod extract;
pub mod guide;
mod handler;
mod instances;
mod macros;
#[cfg(feature = "metrics")]
mod meter;
#[cfg(not(feature = "metrics"))]
#[path = "no_meter.rs"]
mod meter;
mod model;
pub mod prelude;
mod principal;
#[cfg(feature = "log")]
mod program_log;
mod record;
mod registry;
mod reply;
mod revision;
mod schema;
mod serve;
mod server;
mod server_handle;
mod server_limits;
mod session;
mod sync;
pub mod testing;
mod trace_context;
mod transport;
mod uri_template;
mod wire;

pub use ask::{
    Ask, Declined, Elicited, Root, Sample, SampleTool, Sampled, SingleUse, StateKey, StateKeyError, ToolChoice,
};
pub use audit::{Audit, AuditEvent};
#[cfg(feature = "auth")]
pub use auth::{
    Authorization, BearerToken, IntrospectionVerifier, JwtAlgorithm, JwtVerifier, TokenError, TokenVerifier,
    VerifyFuture,
};
#[cfg(feature = "log")]
pub use client_logs::ClientLogs;
pub use completion::Completion;
pub use dispatch::{CallRequest, CallResponse, CallService, FunctionKind, Refused};
pub use error::{BuildError, ToolError};
pub use extract::{Args, Context, FromContext, Needs, Progress, ProgressValue, State};
pub use handler::{AnyText, Functions, ToolArg};
#[doc = include_str!("docs/mcp_module.md")]
pub use mcp_macros::mcp_module;
#[doc = include_str!("docs/mcp_prompt.md")]
pub use mcp_macros::mcp_prompt;
#[doc = include_str!("docs/mcp_resource.md")]
pub use mcp_macros::mcp_resource;
#[doc = include_str!("docs/mcp_server.md")]
pub use mcp_macros::mcp_server;
#[doc = include_str!("docs/mcp_tool.md")]
pub use mcp_macros::mcp_tool;
#[doc = include_str!("docs/mcp_type.md")]
pub use mcp_macros::mcp_type;
pub use model::{
    Annotations, Audio, Capability, Content, Contents, Icon, Image, Level, Message, Messages, Meta, ResourceContents,
    ResourceLink, Role, Theme, ToolResult,
};
pub use principal::Principal;
pub use reply::{
    IntoPromptReply, IntoResourceReply, IntoToolError, IntoToolReply, Json, PromptReply, ResourceReply, ToolReply,
};
pub use serve::ServeError;
pub use server::{BuiltServer, Server};
pub use server_handle::{Change, ServerHandle};
#[cfg(feature = "http")]
pub use session::{
    EventStore, KeptEvent, MemoryEvents, MemorySessions, SessionLimits, SessionRecord, SessionRoom, SessionStore,
    StoreError, StoreFuture, StoredEvents,
};
pub use trace_context::TraceContext;
pub use transport::Connection;
#[cfg(feature = "auth")]
pub use transport::MetadataService;
#[cfg(feature = "sse")]
pub use transport::SseService;
#[cfg(feature = "tls")]
pub use transport::Tls;
#[cfg(feature = "http")]
pub use transport::{ForwardingHeader, HttpBody, HttpListener, HttpService, PeerAddress};
