use mcp_runtime::prelude::*;

#[mcp_tool]
struct Add {
    a: i64,
}

fn main() {}
