use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(uri = "notes://{year}")]
fn notes(year: u32, #[arg(min = 1)] month: u32) -> String {
    format!("{year} {month}")
}

fn main() {}
