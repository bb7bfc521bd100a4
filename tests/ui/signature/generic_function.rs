use mcp_runtime::prelude::*;

#[mcp_tool]
fn same<T>(value: T) -> T {
    value
}

fn main() {}
