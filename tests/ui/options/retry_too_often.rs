use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(retry = 1000)]
fn f() {}

fn main() {}
