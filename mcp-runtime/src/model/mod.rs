//! The protocol's types, free of any revision: the newest revision's richest shape. `revision` strips what a peer's
//! revision does not know.

mod capability;
mod content;
mod interest;
mod listing;
mod logging;
mod prompt;
mod resource;
mod schema;
mod tool;

pub use capability::Capability;
pub(crate) use content::ContentKind;
pub use content::{Annotations, Audio, Content, Contents, Image, ResourceLink, Role};
pub(crate) use interest::{Interests, ListKind, ListKinds};
pub use listing::{Icon, Theme};
pub(crate) use listing::{Implementation, PromptArgument, PromptItem, ResourceItem, TemplateItem, ToolHints, ToolItem};
pub use logging::Level;
pub use prompt::{Message, Messages};
pub(crate) use resource::Body;
pub use resource::ResourceContents;
pub(crate) use schema::Schema;
pub use tool::ToolResult;

/// Extra data for clients, under names that obey the specification's `_meta` grammar (`prefix.example/name`).
pub type Meta = serde_json::Map<String, serde_json::Value>;

/// A header differs from the body, or is missing.
pub(crate) const HEADER_MISMATCH: i32 = -32020;
/// The client lacks a capability that the request needs.
pub(crate) const MISSING_CAPABILITY: i32 = -32021;
/// The protocol version is not supported.
pub(crate) const UNSUPPORTED_VERSION: i32 = -32022;
