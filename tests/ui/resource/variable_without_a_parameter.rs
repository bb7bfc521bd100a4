use mcp_runtime::prelude::*;

#[mcp_resource(uri = "notes://{year}/{moth}")]
fn notes(year: u32, month: u32) -> String {
    format!("{year} {month}")
}

fn main() {}
