use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(uri = "notes://today")]
fn notes(day: &str) -> String {
    day.to_owned()
}

fn main() {}
