use mcp_runtime::prelude::*;

#[mcp_tool]
fn page(#[arg(default)] cx: Context) {
    let _ = cx;
}

fn main() {}
