use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool]
mod math {
    pub fn add(a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {
    math::add(1, 2);
}
