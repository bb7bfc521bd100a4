use mcp_runtime::prelude::*;

struct Math;

#[mcp_module(prefix = "math")]
impl Math {}

fn main() {}
