use mcp_runtime::prelude::*;

struct Year;

#[mcp_resource(uri = "notes://{year}")]
fn notes(year: &Year) -> String {
    let Year = year;
    String::new()
}

fn main() {}
