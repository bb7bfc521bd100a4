use mcp_runtime::prelude::*;

#[mcp_type]
struct Page<'a> {
    text: &'a str,
}

/// Reads a page.
#[mcp_tool]
fn page(page: Page<'_>) -> String {
    page.text.to_owned()
}

fn main() {}
