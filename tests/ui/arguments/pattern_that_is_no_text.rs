use mcp_runtime::prelude::*;

#[mcp_tool]
fn find(#[arg(pattern = PATTERN)] text: String) -> String {
    text
}

fn main() {}
