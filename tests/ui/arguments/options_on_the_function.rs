use mcp_runtime::prelude::*;

/// Gives a page.
#[mcp_tool]
#[arg(min = 1)]
fn page(size: u32) -> u32 {
    size
}

fn main() {}
