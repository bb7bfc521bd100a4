use mcp_runtime::prelude::*;

/// Greets a person.
#[mcp_prompt(read_only)]
fn greet(name: String) -> String {
    name
}

fn main() {}
