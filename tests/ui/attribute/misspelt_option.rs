use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool(descriptoin = "Adds two numbers.")]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn other() -> i64 {
    let _ = tools![add];
    add(1, 2)
}

fn main() {}
