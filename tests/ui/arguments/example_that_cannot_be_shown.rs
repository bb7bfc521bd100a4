use mcp_runtime::prelude::*;

struct Size(u32);

/// Gives a page.
#[mcp_tool]
fn page(#[arg(example = Size(1))] size: u32) -> u32 {
    size + Size(1).0
}

fn main() {}
