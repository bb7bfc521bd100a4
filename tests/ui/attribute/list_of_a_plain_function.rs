use mcp_runtime::prelude::*;

fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
    add(1, 2);
}
