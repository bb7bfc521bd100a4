use mcp_runtime::prelude::*;

#[mcp_tool]
fn page(#[arg] size: u32) -> u32 {
    size
}

fn main() {}
