//! Model Context Protocol servers from plain annotated functions.

// Expansions name this crate by its public name, also inside of it.
#[cfg(test)]
extern crate self as mcp_runtime;

#[doc(hidden)]
pub mod __private;
mod ask;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "log")]
mod client_logs;
#[cfg(not(feature = "log"))]
#[path = "no_client_logs.rs"]
mod client_logs;
mod completion;
mod dispatch;
mod error;
mod extract;
mod handler;
mod macros;
mod model;
pub mod prelude;
mod registry;
mod reply;
mod revision;
mod schema;
mod serve;
mod server;
mod server_handle;
mod session;
mod transport;
mod uri_template;
mod wire;

pub use ask::{
    Ask, Declined, Elicited, Root, Sample, SampleTool, Sampled, SingleUse, StateKey, StateKeyError, ToolChoice,
};
#[cfg(feature = "log")]
pub use client_logs::ClientLogs;
pub use completion::Completion;
pub use error::{BuildError, ToolError};
pub use extract::{Args, Context, FromContext, Needs, Progress, ProgressValue, State};
pub use handler::ToolArg;
pub use mcp_macros::{mcp_prompt, mcp_resource, mcp_tool, mcp_type};
pub use model::{
    Annotations, Audio, Capability, Content, Contents, Icon, Image, Level, Message, Messages, Meta, ResourceContents,
    ResourceLink, Role, ToolResult,
};
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
pub use transport::Connection;
#[cfg(feature = "http")]
pub use transport::{HttpBody, HttpListener, HttpService, Principal};
