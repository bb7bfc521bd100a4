use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(uri = "/notes/{id}")]
fn notes(id: u32) -> String {
    id.to_string()
}

fn main() {}
