use mcp_runtime::prelude::*;

#[mcp_prompt]
fn ask(#[arg(complete)] name: String) -> String {
    name
}

fn main() {}
