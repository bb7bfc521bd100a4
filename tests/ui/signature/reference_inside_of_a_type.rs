use mcp_runtime::prelude::*;

#[mcp_tool]
fn shout(text: Option<&str>) -> String {
    text.unwrap_or("?").to_uppercase()
}

fn main() {}
