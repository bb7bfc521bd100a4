use mcp_runtime::prelude::*;

#[allow(non_camel_case_types)]
struct add {}

/// Adds two numbers.
#[mcp_tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
