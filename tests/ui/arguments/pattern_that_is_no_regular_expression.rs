use mcp_runtime::prelude::*;

/// Does it.
#[mcp_tool]
fn f(#[arg(pattern = "^[a-z+$")] value: String) -> String {
    format!("{value}")
}

fn main() {}
