use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(concurrency = "1")]
fn f() {}

fn main() {}
