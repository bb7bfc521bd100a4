// 3 mistakes
use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool(titel = "Add", timeout = "30", requires(samplin))]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
