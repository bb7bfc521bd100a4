use mcp_runtime::prelude::*;

/// Makes a text loud.
#[mcp_tool]
fn shout(text: &'static str) -> String {
    text.to_uppercase()
}

fn main() {}
