use mcp_runtime::prelude::*;

#[derive(mcp_runtime::__private::schemars::JsonSchema)]
#[schemars(crate = "mcp_runtime::__private::schemars")]
struct Point {
    x: f64,
}

/// Measures how far it is.
#[mcp_tool]
fn length(point: Point) -> f64 {
    point.x
}

fn main() {}
