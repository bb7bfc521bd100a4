//! Attribute macros of `mcp-runtime`, which re-exports them: MCP tools, resources and prompts from plain functions.
//!
//! Expansions name the runtime's `__private` module and its public items, nothing else.

mod diag;
mod expand;
mod model;
mod parse;
mod paths;
mod recover;
mod validate;

use model::Kind;
use proc_macro::TokenStream;

/// Makes a tool.
#[proc_macro_attribute]
pub fn mcp_tool(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(Kind::Tool, options.into(), item.into()).into()
}

/// Makes a resource.
#[proc_macro_attribute]
pub fn mcp_resource(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(Kind::Resource, options.into(), item.into()).into()
}

/// Makes a prompt.
#[proc_macro_attribute]
pub fn mcp_prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(Kind::Prompt, options.into(), item.into()).into()
}

/// Makes a type.
#[proc_macro_attribute]
pub fn mcp_type(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::mcp_type(options.into(), item.into()).into()
}
