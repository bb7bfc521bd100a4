use mcp_runtime::prelude::*;

/// Measures how far it is.
#[mcp_tool]
fn length(#[arg(min_items = 2)] (x, y): (f64, f64)) -> f64 {
    x.hypot(y)
}

fn main() {}
