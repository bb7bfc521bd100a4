use mcp_runtime::prelude::*;

/// Finds a text.
#[mcp_tool]
fn find(#[arg(pattern = PATTERN)] text: String) -> String {
    text
}

fn main() {}
