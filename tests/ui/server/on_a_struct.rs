use mcp_runtime::prelude::*;

#[mcp_server]
struct Calculator;

fn main() {}
