use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(uri = "notes://to day")]
fn notes() -> String {
    String::new()
}

fn main() {}
