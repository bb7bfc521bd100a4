use mcp_runtime::prelude::*;

struct Opaque;

/// Does nothing.
#[mcp_tool(meta(key = Opaque))]
fn f() {}

fn main() {}
