use mcp_runtime::prelude::*;

struct Point {
    x: f64,
}

/// Measures how far it is.
#[mcp_tool]
fn length(point: Option<Point>) -> f64 {
    point.map_or(0.0, |point| point.x)
}

fn main() {}
