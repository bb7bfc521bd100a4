//! One tool that adds two numbers.

use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool]
fn add(
    /// First addend.
    a: i64,
    /// Second addend.
    b: i64,
) -> i64 {
    a + b
}

mcp_main!();
