use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(url = "notes://today")]
fn notes() -> String {
    String::new()
}

fn main() {}
