use mcp_runtime::prelude::*;

#[mcp_type]
struct Page {
    #[arg(default = 1.5)]
    size: u32,
}

fn main() {}
