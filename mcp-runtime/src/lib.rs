//! Model Context Protocol servers from plain annotated functions.


#[doc(hidden)]
pub mod __private;
mod completion;
mod error;
mod extract;
mod handler;
mod model;
mod reply;
mod revision;
#[path = "schema_stub.rs"]
mod schema;
mod session;
mod uri_template;
mod wire;

pub use completion::Completion;
pub use error::{BuildError, ToolError};
pub use extract::{Args, Context, FromContext, Needs, Progress, ProgressValue, State};
pub use handler::ToolArg;
pub use model::{
    Annotations, Audio, Capability, Content, Contents, Icon, Image, Level, Message, Messages, Meta, ResourceContents,
    ResourceLink, Role, ToolResult,
};
pub use reply::{
    IntoPromptReply, IntoResourceReply, IntoToolError, IntoToolReply, Json, PromptReply, ResourceReply, ToolReply,
};
