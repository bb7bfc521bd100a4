use mcp_runtime::prelude::*;

/// Gives a page.
#[mcp_tool]
fn page(#[arg(min = 1, max = 5)] cx: &Context) {
    let _ = cx;
}

fn main() {}
