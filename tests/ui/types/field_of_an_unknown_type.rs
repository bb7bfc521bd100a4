use mcp_runtime::prelude::*;

#[mcp_type]
struct Page {
    size: Size,
}

fn main() {}
