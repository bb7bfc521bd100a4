use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(icon(mime_type = "image/png"))]
fn f() {}

fn main() {}
