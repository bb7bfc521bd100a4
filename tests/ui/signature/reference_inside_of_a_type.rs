use mcp_runtime::prelude::*;

/// Makes a text loud.
#[mcp_tool]
fn shout(text: Option<&str>) -> String {
    text.unwrap_or("?").to_uppercase()
}

fn main() {}
