use mcp_runtime::prelude::*;

/// Makes a text loud.
#[mcp_tool]
fn shout(text: impl Into<String>) -> String {
    text.into().to_uppercase()
}

fn main() {}
