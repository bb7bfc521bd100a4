use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(max_output = "64")]
fn f() {}

fn main() {}
