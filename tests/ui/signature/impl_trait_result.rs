use mcp_runtime::prelude::*;

/// Counts.
#[mcp_tool]
fn count(to: u32) -> impl Iterator<Item = u32> {
    0..to
}

fn main() {}
