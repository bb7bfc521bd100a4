//! Attribute macros of `mcp-runtime`, which re-exports them: MCP tools, resources and prompts from plain functions.
//!
//! They are used and documented there, where their examples compile.
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

// The pages of the re-exports end in these lines; the empty one keeps them apart from what stands before.

///
/// The macro itself is in the crate `mcp-macros`; its documentation is that of `mcp_runtime::mcp_tool`.
#[proc_macro_attribute]
pub fn mcp_tool(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(Kind::Tool, options.into(), item.into()).into()
}

///
/// The macro itself is in the crate `mcp-macros`; its documentation is that of `mcp_runtime::mcp_resource`.
#[proc_macro_attribute]
pub fn mcp_resource(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(Kind::Resource, options.into(), item.into()).into()
}

///
/// The macro itself is in the crate `mcp-macros`; its documentation is that of `mcp_runtime::mcp_prompt`.
#[proc_macro_attribute]
pub fn mcp_prompt(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(Kind::Prompt, options.into(), item.into()).into()
}

///
/// The macro itself is in the crate `mcp-macros`; its documentation is that of `mcp_runtime::mcp_type`.
#[proc_macro_attribute]
pub fn mcp_type(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::mcp_type(options.into(), item.into()).into()
}

///
/// The macro itself is in the crate `mcp-macros`; its documentation is that of `mcp_runtime::mcp_server`.
#[proc_macro_attribute]
pub fn mcp_server(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::server(options.into(), item.into()).into()
}

///
/// The macro itself is in the crate `mcp-macros`; its documentation is that of `mcp_runtime::mcp_module`.
#[proc_macro_attribute]
pub fn mcp_module(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::module(options.into(), item.into()).into()
}
