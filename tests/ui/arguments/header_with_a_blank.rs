use mcp_runtime::prelude::*;

/// Gives a page.
#[mcp_tool]
fn page(#[arg(header = "Page Size")] size: u32) -> u32 {
    size
}

fn main() {}
