use mcp_runtime::prelude::*;

#[mcp_type]
struct Page {
    text: &str,
}

fn main() {}
