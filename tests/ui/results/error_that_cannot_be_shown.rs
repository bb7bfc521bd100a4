use mcp_runtime::prelude::*;

struct Overflow;

/// Adds two numbers.
#[mcp_tool]
fn add(a: i64, b: i64) -> Result<i64, Overflow> {
    a.checked_add(b).ok_or(Overflow)
}

fn main() {}
