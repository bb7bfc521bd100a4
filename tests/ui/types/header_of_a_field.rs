use mcp_runtime::prelude::*;

#[mcp_type]
struct Page {
    #[arg(header = "Size")]
    size: u32,
}

fn main() {}
