// 3 mistakes
use mcp_runtime::prelude::*;

/// Gives a page.
#[mcp_tool(name = "a page")]
fn page(#[arg(minimum = 1)] size: u32, #[arg(min = 3, max = 2)] number: u32) -> u32 {
    size * number
}

fn main() {
    let _ = (page(1, 2), tools![page]);
}
