use mcp_runtime::prelude::*;

struct Sum(i64);

/// Adds two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> Result<Sum, String> {
    Ok(Sum(a + b))
}

fn main() {}
