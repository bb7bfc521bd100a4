use mcp_runtime::prelude::*;

#[mcp_type]
struct Page {
    #[arg(min = 2.5, max = 1)]
    size: f64,
}

fn main() {}
