use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource("notes://today")]
fn notes() -> String {
    String::new()
}

fn main() {}
