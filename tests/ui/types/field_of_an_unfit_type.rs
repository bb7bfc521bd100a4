use mcp_runtime::prelude::*;

struct Size(u32);

#[mcp_type]
struct Page {
    size: Size,
}

fn main() {}
