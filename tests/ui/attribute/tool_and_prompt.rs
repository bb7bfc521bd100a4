use mcp_runtime::prelude::*;

#[mcp_tool]
#[mcp_prompt]
fn greet(name: String) -> String {
    name
}

fn main() {}
