use mcp_runtime::prelude::*;

/// Asks for the size.
#[mcp_prompt(name = "größe")]
fn size() -> String {
    String::new()
}

fn main() {}
