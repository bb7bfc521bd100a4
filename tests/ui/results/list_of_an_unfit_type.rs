use mcp_runtime::prelude::*;

struct Sum(i64);

/// Adds two numbers.
#[mcp_tool]
fn add(a: i64, b: i64) -> Vec<Sum> {
    vec![Sum(a + b)]
}

fn main() {}
