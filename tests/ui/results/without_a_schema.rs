use mcp_runtime::prelude::*;

#[derive(mcp_runtime::__private::serde::Serialize)]
#[serde(crate = "mcp_runtime::__private::serde")]
struct Sum(i64);

/// Adds two numbers.
#[mcp_tool]
fn add(a: i64, b: i64) -> Sum {
    Sum(a + b)
}

fn main() {}
