use mcp_runtime::prelude::*;

#[mcp_type]
#[arg(min = 1)]
struct Size(u32);

fn main() {}
