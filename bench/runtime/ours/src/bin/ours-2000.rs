//! `add` beside others: 2000 tools.

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

include!(concat!(env!("OUT_DIR"), "/tools_2000.rs"));

mcp_main!();
