use mcp_runtime::prelude::*;

#[mcp_type]
struct Page {
    size: u32,
}

/// Gives a page.
#[mcp_tool]
fn page(#[arg(description = "The page.")] Args(page): Args<Page>) -> u32 {
    page.size
}

fn main() {}
