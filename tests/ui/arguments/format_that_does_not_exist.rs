use mcp_runtime::prelude::*;

/// Does it.
#[mcp_tool]
fn f(#[arg(format = "datetime")] value: String) -> String {
    format!("{value}")
}

fn main() {}
