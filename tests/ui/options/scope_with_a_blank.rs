use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(scopes("files read"))]
fn f() {}

fn main() {}
