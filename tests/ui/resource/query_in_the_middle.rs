use mcp_runtime::prelude::*;

#[mcp_resource(uri = "notes://today{?part}/all")]
fn notes(part: Option<String>) -> String {
    part.unwrap_or_default()
}

fn main() {}
