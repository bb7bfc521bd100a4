use mcp_runtime::prelude::*;

#[mcp_type]
enum Shape {
    #[arg(min = 1)]
    Circle(f64),
}

fn main() {}
