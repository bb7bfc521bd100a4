use mcp_runtime::prelude::*;

/// Gives a page.
#[mcp_tool]
fn page(size: u32, #[arg(rename = "size")] width: u32) -> u32 {
    size + width
}

fn main() {}
