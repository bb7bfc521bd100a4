use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(uri = NOTES)]
fn notes() -> String {
    String::new()
}

fn main() {}
