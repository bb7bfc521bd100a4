use mcp_runtime::prelude::*;

/// Does it.
#[mcp_tool]
fn f(#[arg(enum = ["a", 1])] value: String) -> String {
    format!("{value}")
}

fn main() {}
