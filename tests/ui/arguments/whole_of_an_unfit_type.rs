use mcp_runtime::prelude::*;

struct Point {
    x: f64,
}

/// Measures how far it is.
#[mcp_tool]
fn length(Args(point): Args<Point>) -> f64 {
    point.x
}

fn main() {}
