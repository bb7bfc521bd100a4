use mcp_runtime::prelude::*;

/// Gives a page.
#[mcp_tool]
fn page(#[arg(default = 10)] size: Option<u32>) -> u32 {
    size.unwrap_or(1)
}

fn main() {}
