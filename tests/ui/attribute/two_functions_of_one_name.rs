// 4 errors: two functions, two markers, and what the compiler concludes from both
use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Adds three numbers.
#[mcp_tool]
fn add(a: i64, b: i64, c: i64) -> i64 {
    a + b + c
}

fn main() {}
