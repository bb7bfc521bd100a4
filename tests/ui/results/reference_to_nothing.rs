use mcp_runtime::prelude::*;

/// Names a number.
#[mcp_tool]
fn name(number: u32) -> &str {
    "one"
}

fn main() {}
