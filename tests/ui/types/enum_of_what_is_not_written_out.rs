use mcp_runtime::prelude::*;

#[mcp_type]
struct Wanted {
    #[arg(enum = [LEAST, 2])]
    value: u8,
}

fn main() {}
