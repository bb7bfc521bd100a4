use mcp_runtime::prelude::*;

#[mcp_tool]
mod math {
    pub fn add(a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {
    math::add(1, 2);
}
