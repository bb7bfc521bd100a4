use mcp_runtime::prelude::*;

#[mcp_tool]
fn shout(text: impl Into<String>) -> String {
    text.into().to_uppercase()
}

fn main() {}
