use mcp_runtime::prelude::*;

#[derive(mcp_runtime::__private::serde::Deserialize, mcp_runtime::__private::schemars::JsonSchema)]
#[serde(crate = "mcp_runtime::__private::serde")]
#[schemars(crate = "mcp_runtime::__private::schemars")]
struct Page {
    size: u32,
}

/// Gives a page.
#[mcp_tool]
fn page(#[arg(default = Page { size: 1 })] page: Page) -> u32 {
    page.size
}

fn main() {}
