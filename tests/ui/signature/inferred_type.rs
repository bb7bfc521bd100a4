use mcp_runtime::prelude::*;

/// Makes texts loud.
#[mcp_tool]
fn shout(texts: Vec<_>) -> u32 {
    1
}

fn main() {}
