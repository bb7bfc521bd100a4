use mcp_runtime::prelude::*;

#[mcp_tool(icon = "file:///icon.png")]
fn f() {}

fn main() {}
