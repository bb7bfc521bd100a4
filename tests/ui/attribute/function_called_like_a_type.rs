use mcp_runtime::prelude::*;

/// Tells whether the text is true.
#[mcp_tool]
fn bool(text: String) -> bool {
    text == "true"
}

fn main() {}
