use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool(meta("my key" = 1))]
fn f() {}

fn main() {}
