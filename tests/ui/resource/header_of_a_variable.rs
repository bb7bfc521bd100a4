use mcp_runtime::prelude::*;

#[mcp_resource(uri = "notes://{year}")]
fn notes(#[arg(header = "Year")] year: u32) -> String {
    year.to_string()
}

fn main() {}
