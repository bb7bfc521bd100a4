use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(uri = "notes://today{#part}")]
fn notes(part: String) -> String {
    part
}

fn main() {}
