// 3 mistakes
use mcp_runtime::prelude::*;

struct Point {
    x: f64,
}

/// Moves a point.
#[mcp_tool]
fn travel(from: Point, to: &[Point]) -> Point {
    Point { x: from.x + to[0].x }
}

fn main() {}
