use mcp_runtime::prelude::*;

#[mcp_type]
enum Colour {
    Red,
}

/// Paints the wall.
#[mcp_tool]
fn paint(#[arg(default)] colour: Colour) {
    let _ = colour;
}

fn main() {}
