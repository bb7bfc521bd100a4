use mcp_runtime::prelude::*;
use std::cell::Cell;

/// Counts.
#[mcp_tool]
fn count(count: State<Cell<u32>>) -> u32 {
    count.set(count.get() + 1);
    count.get()
}

fn main() {}
