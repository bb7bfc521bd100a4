use mcp_runtime::prelude::*;

#[mcp_server]
pub fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
