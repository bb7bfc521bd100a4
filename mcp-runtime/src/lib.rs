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
//! [`mcp_tool`], [`mcp_resource`] and [`mcp_prompt`] make tools, resources and prompts of functions, [`mcp_type`] makes types
//! fit for their arguments and results. [`mcp_server`] does for methods what these do for functions, [`mcp_module`] puts a prefix
//! before the names in a module. [`Context`] is the request as a function sees it, [`Server`] the server as a program
//! sets it up, [`ServerHandle`] the way to change it while it runs, and [`Connection`] a client for tests.

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
mod instances;
mod macros;
mod model;
pub mod prelude;
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
pub use handler::{AnyText, Functions, ToolArg};
/// # With everything
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// #[mcp_module(prefix = "files", separator = ".", list = functions)]
/// mod files {
///     use mcp_runtime::prelude::*;
///
///     /// Counts the files of a folder.
///     #[mcp_tool(read_only)]
///     pub fn count(folder: String) -> usize {
///         folder.len()
///     }
///
///     /// A file.
///     #[mcp_resource(uri = "files://{+path}")]
///     pub fn file(path: String) -> String {
///         path
///     }
///
///     #[mcp_module(prefix = "trash")]
///     pub mod trash {
///         use mcp_runtime::prelude::*;
///
///         /// Empties the trash.
///         #[mcp_tool(destructive)]
///         pub fn empty() {}
///     }
/// }
///
/// # fn main() -> Result<(), mcp_runtime::BuildError> {
/// // The tools `files.count` and `files.trash_empty`, and a resource.
/// let whole = server!().functions(files::functions()).build()?;
/// let one = server!().tools(tools![files::count]).build()?;
/// # let _ = (whole, one);
/// # Ok(())
/// # }
/// ```
pub use mcp_macros::mcp_module;
/// # With everything
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Translates a text.
/// #[mcp_prompt(title = "Translate")]
/// fn translate(
///     /// What to translate.
///     text: String,
///     /// The language to translate to.
///     #[arg(default = "English")]
///     language: String,
/// ) -> Messages {
///     Messages::new().user(format!("Translate to {language}:")).user(text)
/// }
/// ```
pub use mcp_macros::mcp_prompt;
/// # With everything
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// fn days(typed: &str) -> Vec<&'static str> {
///     ["monday", "friday"].into_iter().filter(|day| day.starts_with(typed)).collect()
/// }
///
/// /// What was noted on a day.
/// #[mcp_resource(uri = "notes://{day}{?limit}", mime_type = "text/markdown")]
/// fn notes(#[arg(complete = days)] day: String, limit: Option<usize>) -> Option<String> {
///     (day != "sunday").then(|| format!("# {day}: {limit:?}"))
/// }
///
/// /// The logo.
/// #[mcp_resource(uri = "site://logo", mime_type = "image/png", size = 3)]
/// fn logo() -> &'static [u8] {
///     b"PNG"
/// }
/// ```
pub use mcp_macros::mcp_resource;
/// # With everything
///
/// ```
/// use mcp_runtime::prelude::*;
/// use std::sync::Mutex;
/// use std::sync::Arc;
///
/// trait Store: Send + Sync + 'static {
///     fn get(&self, key: &str) -> Option<String>;
/// }
///
/// struct Notes<S> {
///     store: S,
///     read: Mutex<Vec<String>>,
/// }
///
/// #[mcp_server(prefix = "notes", list = functions)]
/// impl<S: Store> Notes<S> {
///     /// Reads a note.
///     #[mcp_tool(read_only)]
///     async fn read(&self, key: String, cx: &Context) -> Option<String> {
///         cx.info("reading");
///         self.read.lock().expect("nobody panicked").push(key.clone());
///         self.store.get(&key)
///     }
///
///     /// A note.
///     #[mcp_resource(uri = "notes://{key}")]
///     fn note(self: Arc<Self>, key: String) -> Option<String> {
///         self.store.get(&key)
///     }
///
///     /// Asks for a summary.
///     #[mcp_prompt]
///     fn summary() -> &'static str {
///         "Sum up the notes that you have read."
///     }
///
///     fn len(&self) -> usize {
///         self.read.lock().expect("nobody panicked").len()
///     }
/// }
///
/// struct Two;
///
/// impl Store for Two {
///     fn get(&self, key: &str) -> Option<String> {
///         (key == "two").then(|| "2".to_owned())
///     }
/// }
///
/// # fn main() -> Result<(), mcp_runtime::BuildError> {
/// let notes = Arc::new(Notes { store: Two, read: Mutex::default() });
/// let server = server!().functions(Notes::<Two>::functions()).shared_state(Arc::clone(&notes)).build()?;
/// assert_eq!(notes.len(), 0);
/// # let _ = server;
/// # Ok(())
/// # }
/// ```
pub use mcp_macros::mcp_server;
/// # With everything
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Finds places by name.
/// ///
/// /// - Names are compared without case.
/// #[mcp_tool(title = "Find places", read_only, idempotent, open_world = false, timeout = "10s")]
/// async fn find(
///     /// A part of the name.
///     #[arg(min_length = 1, example = "berg")]
///     name: &str,
///     #[arg(default = 20, min = 1, max = 100)] limit: u32,
///     country: Option<String>,
///     cx: Context,
/// ) -> Result<Vec<String>, String> {
///     cx.progress(1, 2);
///     match country.as_deref() {
///         Some("xx") => Err("There is no country `xx`: use a code such as `de`.".to_owned()),
///         _ => Ok(vec![format!("{name} ({limit} at most)")]),
///     }
/// }
/// ```
pub use mcp_macros::mcp_tool;
/// # With everything
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// How to sort.
/// #[mcp_type]
/// enum Order {
///     /// Newest first.
///     Newest,
///     Name,
/// }
///
/// /// What to look for.
/// #[mcp_type]
/// struct Query {
///     #[arg(min_length = 1, max_length = 80, pattern = "^[^/]*$")]
///     text: String,
///     #[arg(default = 20, min = 1, max = 100)]
///     limit: u32,
///     #[arg(min_items = 1)]
///     tags: Option<Vec<String>>,
///     #[arg(rename = "sortBy", default = Order::Name)]
///     order: Order,
/// }
/// ```
pub use mcp_macros::mcp_type;
pub use model::{
    Annotations, Audio, Capability, Content, Contents, Icon, Image, Level, Message, Messages, Meta, ResourceContents,
    ResourceLink, Role, Theme, ToolResult,
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
#[cfg(feature = "sse")]
pub use transport::SseService;
#[cfg(feature = "http")]
pub use transport::{HttpBody, HttpListener, HttpService, Principal};
