use mcp_runtime::prelude::*;

/// Waits.
#[mcp_tool(timeout = "30")]
async fn wait() {}

fn main() {}
