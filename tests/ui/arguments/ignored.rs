use mcp_runtime::prelude::*;

#[mcp_tool]
fn nothing(_: String) {}

fn main() {}
