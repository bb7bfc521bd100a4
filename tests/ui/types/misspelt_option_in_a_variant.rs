use mcp_runtime::prelude::*;

#[mcp_type]
enum Shape {
    Circle {
        #[arg(minimum = 0)]
        radius: f64,
    },
}

fn main() {}
