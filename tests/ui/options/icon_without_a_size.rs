use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(icon(src = "https://example.com/i.png", sizes("large")))]
fn f() {}

fn main() {}
