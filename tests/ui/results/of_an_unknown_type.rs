use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool]
fn add(a: i64, b: i64) -> Sum {
    a + b
}

fn main() {}
