use mcp_runtime::prelude::*;

struct Calculator;

/// Adds two numbers.
#[mcp_tool]
impl Calculator {
    fn add(a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {
    Calculator::add(1, 2);
}
