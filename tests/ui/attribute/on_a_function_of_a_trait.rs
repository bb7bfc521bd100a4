use mcp_runtime::prelude::*;

trait Calculator {
    /// Adds two numbers.
    #[mcp_tool]
    fn add(a: i64, b: i64) -> i64;
}

fn main() {}
