use mcp_runtime::prelude::*;

struct Point {
    x: f64,
}

/// Measures how far it is.
#[mcp_tool]
fn length(points: &[Point]) -> f64 {
    points[0].x
}

fn main() {}
