use mcp_runtime::prelude::*;

struct Year;

/// Reads the notes.
#[mcp_resource(uri = "notes://{year}")]
fn notes(year: &Year) -> String {
    let Year = year;
    String::new()
}

fn main() {}
