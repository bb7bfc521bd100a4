use mcp_runtime::prelude::*;

#[mcp_type]
enum Size {
    Small,
    Large,
}

#[mcp_type]
struct Page {
    #[arg(default)]
    size: Size,
}

fn main() {}
