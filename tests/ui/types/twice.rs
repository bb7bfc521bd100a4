use mcp_runtime::prelude::*;

#[mcp_type]
#[mcp_type]
struct Page {
    size: u32,
}

fn main() {}
