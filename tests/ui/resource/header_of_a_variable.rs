use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(uri = "notes://{year}")]
fn notes(#[arg(header = "Year")] year: u32) -> String {
    year.to_string()
}

fn main() {}
