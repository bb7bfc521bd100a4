use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(icon(src = "https://example.com/i.png", mimetype = "image/png"))]
fn f() {}

fn main() {}
