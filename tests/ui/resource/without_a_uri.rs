use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource]
fn notes() -> String {
    String::new()
}

fn main() {}
