use mcp_runtime::prelude::*;

#[mcp_resource(uri = "notes://today{#part}")]
fn notes(part: String) -> String {
    part
}

fn main() {}
