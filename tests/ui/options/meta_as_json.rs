use mcp_runtime::prelude::*;

/// Searches.
#[mcp_tool(meta = { "team": "search" })]
fn search(words: String) -> String {
    words
}

fn main() {}
