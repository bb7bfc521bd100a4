//! Expansions are clean in crates that forbid and deny much.
#![forbid(unsafe_code)]
#![deny(missing_docs, unused, dead_code, unreachable_pub, unused_qualifications, unexpected_cfgs)]
#![deny(clippy::all, clippy::pedantic)]
#![deny(rust_2018_idioms, non_camel_case_types, non_snake_case, unused_import_braces, single_use_lifetimes)]

use mcp_runtime::prelude::*;

/// A type.
#[mcp_type]
pub struct Search {
    /// A field.
    #[arg(default = 3, min = 1)]
    pub limit: u32,
}

/// A function that only clients call.
#[mcp_tool(read_only, idempotent, open_world = false)]
fn private(#[arg(default, example = "x")] text: String) -> String {
    text
}

/// A public function.
#[mcp_tool]
#[must_use]
pub fn public(search: &Search) -> u32 {
    search.limit
}

/// Nothing comes back.
#[mcp_tool]
fn nothing() {}

/// Async.
#[mcp_tool]
async fn later(cx: Context) -> Result<(), ToolError> {
    cx.cancelled().await;
    Ok(())
}

/// On a thread.
#[mcp_tool(blocking)]
fn slow(text: &str) -> Vec<String> {
    vec![text.to_owned()]
}

/// A resource.
#[mcp_resource(uri = "x://{+path}{?rev}", mime_type = "text/plain")]
fn file(path: &str, rev: Option<u32>) -> Option<String> {
    rev.map(|rev| format!("{path}@{rev}"))
}

/// A prompt.
#[mcp_prompt]
fn ask(#[arg(complete = names)] name: String) -> String {
    name
}

fn names(typed: &str) -> Vec<String> {
    vec![typed.to_owned()]
}

fn main() {
    assert!(server!().build().is_ok());
}
