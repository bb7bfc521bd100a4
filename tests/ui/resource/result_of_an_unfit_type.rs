use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(uri = "notes://today")]
fn notes() -> f64 {
    1.5
}

fn main() {}
