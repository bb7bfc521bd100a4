use mcp_runtime::prelude::*;

/// Greets a person.
#[mcp_tool]
#[mcp_prompt]
fn greet(name: String) -> String {
    name
}

fn main() {}
