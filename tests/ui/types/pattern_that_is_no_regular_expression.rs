use mcp_runtime::prelude::*;

#[mcp_type]
struct Wanted {
    #[arg(pattern = "(a")]
    value: String,
}

fn main() {}
