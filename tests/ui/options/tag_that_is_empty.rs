use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(tags(""))]
fn f() {}

fn main() {}
