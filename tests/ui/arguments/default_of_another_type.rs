use mcp_runtime::prelude::*;

/// Gives a page.
#[mcp_tool]
fn page(#[arg(default = 1.5)] size: u32) -> u32 {
    size
}

fn main() {}
