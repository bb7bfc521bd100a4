use mcp_runtime::prelude::*;

/// Tells the size.
#[mcp_tool]
fn größe() -> i64 {
    1
}

fn main() {}
