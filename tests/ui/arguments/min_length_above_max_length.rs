use mcp_runtime::prelude::*;

/// Finds a text.
#[mcp_tool]
fn find(#[arg(min_length = 10, max_length = 5)] text: String) -> String {
    text
}

fn main() {}
