use mcp_runtime::prelude::*;

#[mcp_module("math")]
mod math {
    use mcp_runtime::prelude::*;

    /// Adds.
    #[mcp_tool]
    fn add(a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
