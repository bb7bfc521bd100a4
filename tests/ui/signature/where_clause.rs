use mcp_runtime::prelude::*;

/// Gives the value back.
#[mcp_tool]
fn same<T>(value: T) -> T
where
    T: Clone,
{
    value.clone()
}

fn main() {}
