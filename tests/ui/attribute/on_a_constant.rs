use mcp_runtime::prelude::*;

#[mcp_tool]
const ANSWER: i64 = 42;

fn main() {}
