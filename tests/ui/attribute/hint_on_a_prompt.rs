use mcp_runtime::prelude::*;

#[mcp_prompt(read_only)]
fn greet(name: String) -> String {
    name
}

fn main() {}
