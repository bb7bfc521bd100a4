//! Everything that a server usually needs: `use mcp_runtime::prelude::*;`.

pub use crate::{Args, Context, Elicited, Json, Principal, Sample, State, ToolError};
pub use crate::{Completion, Content, Contents, Image, Message, Messages, ResourceContents, ResourceLink, ToolResult};
pub use crate::{
    mcp_main, mcp_module, mcp_prompt, mcp_resource, mcp_server, mcp_tool, mcp_type, prompts, resources, server, tools,
};
