use mcp_runtime::prelude::*;

#[mcp_tool]
fn bool(text: String) -> bool {
    text == "true"
}

fn main() {}
