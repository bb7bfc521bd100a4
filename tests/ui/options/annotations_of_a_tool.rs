use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(annotations(priority = 1))]
fn f() {}

fn main() {}
