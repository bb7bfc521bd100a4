use mcp_runtime::prelude::*;

/// Gives a page.
#[mcp_tool]
fn page(#[arg(default)] cx: Context) {
    let _ = cx;
}

fn main() {}
