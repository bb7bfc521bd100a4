use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(concurrency = 0)]
fn f() {}

fn main() {}
