use mcp_runtime::prelude::*;

/// Sums numbers up.
#[mcp_tool]
fn sum<const N: usize>(numbers: [i64; N]) -> i64 {
    numbers.iter().sum()
}

fn main() {}
