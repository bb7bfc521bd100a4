use mcp_runtime::prelude::*;

struct Point {
    x: f64,
}

/// Measures how far it is.
#[mcp_tool]
fn length(#[arg(description = "Where it is.", example = 1)] point: Point) -> f64 {
    point.x
}

fn main() {}
