// 2 mistakes
use mcp_runtime::prelude::*;

/// Makes a text loud.
#[mcp_tool(titel = "Shout")]
fn shout(text: String) -> String {
    text.to_upper_case()
}

fn main() {}
