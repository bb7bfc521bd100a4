use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(uri = "notes://{year}/{moth}")]
fn notes(year: u32, month: u32) -> String {
    format!("{year} {month}")
}

fn main() {}
