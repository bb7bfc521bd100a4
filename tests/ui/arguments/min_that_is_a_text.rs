use mcp_runtime::prelude::*;

#[mcp_tool]
fn page(#[arg(min = "1")] size: u32) -> u32 {
    size
}

fn main() {}
