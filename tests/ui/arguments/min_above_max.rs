use mcp_runtime::prelude::*;

/// Gives a page.
#[mcp_tool]
fn page(#[arg(min = 10, max = -1)] size: i32) -> i32 {
    size
}

fn main() {}
