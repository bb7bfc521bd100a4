use mcp_runtime::prelude::*;

/// Gives a page.
#[mcp_tool]
fn page(#[arg(header = "Size")] size: u32, #[arg(header = "size")] width: u32) -> u32 {
    size + width
}

fn main() {}
