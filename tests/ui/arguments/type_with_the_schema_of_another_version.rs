use mcp_runtime::prelude::*;

/// What an older version of a crate looks like.
mod schemars {
    pub trait JsonSchema {}
}

#[derive(mcp_runtime::__private::serde::Deserialize)]
#[serde(crate = "mcp_runtime::__private::serde")]
struct Point {
    x: f64,
}

impl schemars::JsonSchema for Point {}

/// Measures how far it is.
#[mcp_tool]
fn length(point: Point) -> f64 {
    point.x
}

fn main() {}
