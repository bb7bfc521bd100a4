use mcp_runtime::prelude::*;

/// Reads a file.
#[mcp_tool(scopes["files:read"])]
fn read(path: String) -> String {
    path
}

fn main() {}
