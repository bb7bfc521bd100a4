use mcp_runtime::prelude::*;

/// Shows pictures.
#[mcp_tool]
fn pictures() -> Vec<Content> {
    Vec::new()
}

fn main() {}
