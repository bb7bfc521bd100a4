use mcp_runtime::prelude::*;

/// Does it.
#[mcp_tool]
fn f(#[arg(enum = ["a", "b", "a"])] value: String) -> String {
    format!("{value}")
}

fn main() {}
