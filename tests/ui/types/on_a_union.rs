use mcp_runtime::prelude::*;

#[mcp_type]
union Number {
    a: i64,
    b: f64,
}

fn main() {}
