use mcp_runtime::prelude::*;

/// Sorts numbers.
#[mcp_tool]
fn sort(numbers: &mut Vec<i64>) -> i64 {
    numbers.sort();
    numbers[0]
}

fn main() {}
