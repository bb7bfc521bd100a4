use mcp_runtime::prelude::*;

struct Calculator;

impl Calculator {
    /// Adds two numbers.
    #[mcp_tool]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {}
