use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool(title: "Sum", read_only)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
