use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(meta("key"))]
fn f() {}

fn main() {}
