use mcp_runtime::prelude::*;

fn sizes(typed: &str) -> Vec<String> {
    vec![typed.to_owned()]
}

/// Gives a page.
#[mcp_tool]
fn page(#[arg(complete = sizes)] size: u32) -> u32 {
    let _ = sizes;
    size
}

fn main() {}
