use mcp_runtime::prelude::*;

#[mcp_module(prefix = "math")]
mod math {
    use mcp_runtime::prelude::*;

    /// Adds.
    #[cfg_attr(all(), mcp_tool)]
    fn add(a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
