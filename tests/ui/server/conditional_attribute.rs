use mcp_runtime::prelude::*;

struct Calculator;

#[mcp_server]
impl Calculator {
    /// Adds two numbers.
    #[mcp_tool]
    fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }

    /// Multiplies two numbers.
    #[cfg_attr(all(), mcp_tool)]
    fn multiply(&self, a: i64, b: i64) -> i64 {
        a * b
    }
}

fn main() {}
