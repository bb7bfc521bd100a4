use mcp_runtime::prelude::*;

#[mcp_module(prefix = "math")]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    add(1, 2);
}
