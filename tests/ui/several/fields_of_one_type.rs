// 4 mistakes
use mcp_runtime::prelude::*;

#[mcp_type(rename = "page")]
struct Page {
    #[arg(defualt = 1)]
    number: u32,
    #[arg(header = "Size")]
    size: u32,
    #[arg(default = "ten")]
    most: u32,
}

/// Gives a page.
#[mcp_tool]
fn page(page: Page) -> u32 {
    page.size
}

fn main() {}
