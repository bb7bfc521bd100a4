use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(scopes(files))]
fn f() {}

fn main() {}
