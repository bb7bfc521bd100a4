use mcp_runtime::prelude::*;

/// Opens a file.
#[mcp_tool]
fn open(path: String, #[cfg(unix)] mode: u32) -> String {
    format!("{path} {mode}")
}

fn main() {}
