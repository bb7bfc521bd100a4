use mcp_runtime::prelude::*;

#[mcp_type]
struct Page {
    #[cfg_attr(unix, arg(min = 1))]
    size: u32,
}

/// Gives a page.
#[mcp_tool]
fn page(page: Page) -> u32 {
    page.size
}

fn main() {}
