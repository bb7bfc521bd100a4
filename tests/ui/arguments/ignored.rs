use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_tool]
fn nothing(_: String) {}

fn main() {}
