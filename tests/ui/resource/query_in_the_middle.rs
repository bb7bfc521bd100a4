use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(uri = "notes://today{?part}/all")]
fn notes(part: Option<String>) -> String {
    part.unwrap_or_default()
}

fn main() {}
