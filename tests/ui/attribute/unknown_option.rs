use mcp_runtime::prelude::*;

/// Greets a person.
#[mcp_prompt(colour = "red")]
fn greet(name: String) -> String {
    name
}

fn main() {}
