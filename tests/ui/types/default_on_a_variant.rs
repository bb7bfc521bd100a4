use mcp_runtime::prelude::*;

#[mcp_type]
enum Size {
    #[arg(default)]
    Small,
    Large,
}

fn main() {}
