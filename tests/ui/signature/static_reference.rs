use mcp_runtime::prelude::*;

#[mcp_tool]
fn shout(text: &'static str) -> String {
    text.to_uppercase()
}

fn main() {}
