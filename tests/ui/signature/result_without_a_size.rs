use mcp_runtime::prelude::*;

/// Greets someone.
#[mcp_tool]
fn greet(name: String) -> dyn std::fmt::Display {
    name
}

fn main() {}
