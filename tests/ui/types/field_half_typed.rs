use mcp_runtime::prelude::*;

#[mcp_type]
struct Page {
    size: ,
}

fn other(_: Page) {}

fn main() {}
