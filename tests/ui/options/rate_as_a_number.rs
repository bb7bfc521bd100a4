use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_prompt(rate_limit = 10)]
fn f() -> String {
    String::new()
}

fn main() {}
