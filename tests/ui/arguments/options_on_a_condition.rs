use mcp_runtime::prelude::*;

/// Gives a page.
#[mcp_tool]
fn page(#[cfg_attr(unix, arg(min = 1))] size: u32) -> u32 {
    size
}

fn main() {}
