use mcp_runtime::prelude::*;

/// Counts.
#[mcp_tool]
fn count(words: HashMap<String, u32>) -> u32 {
    words.len() as u32
}

fn main() {}
