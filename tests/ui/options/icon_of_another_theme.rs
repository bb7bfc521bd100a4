use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(icon(src = "https://example.com/i.png", theme = "blue"))]
fn f() {}

fn main() {}
