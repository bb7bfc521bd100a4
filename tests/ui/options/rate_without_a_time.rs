use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(rate_limit = "10")]
fn f() {}

fn main() {}
