use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(meta(a = 1, a = 2))]
fn f() {}

fn main() {}
