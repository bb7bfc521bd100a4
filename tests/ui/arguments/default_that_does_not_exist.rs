use mcp_runtime::prelude::*;

/// Gives a page.
#[mcp_tool]
fn page(#[arg(default = PAGE_SIZE)] size: u32) -> u32 {
    size
}

fn main() {}
