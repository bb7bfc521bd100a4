use mcp_runtime::prelude::*;

#[mcp_type]
struct Page(#[arg(rename = "size")] u32);

fn main() {}
