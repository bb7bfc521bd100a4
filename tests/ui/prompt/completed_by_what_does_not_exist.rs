use mcp_runtime::prelude::*;

#[mcp_prompt]
fn ask(#[arg(complete = names)] name: String) -> String {
    name
}

fn main() {}
