use mcp_runtime::prelude::*;

#[mcp_type(rename_all = "camelCase")]
struct Page {
    size: u32,
}

fn main() {}
