use mcp_runtime::prelude::*;

#[mcp_prompt(colour = "red")]
fn greet(name: String) -> String {
    name
}

fn main() {}
