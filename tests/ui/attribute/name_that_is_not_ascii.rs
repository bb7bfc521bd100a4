use mcp_runtime::prelude::*;

#[mcp_prompt(name = "größe")]
fn size() -> String {
    String::new()
}

fn main() {}
