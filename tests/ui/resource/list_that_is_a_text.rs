use mcp_runtime::prelude::*;

#[mcp_resource(uri = "notes://{day}", description = "One.", list = "days")]
fn notes(day: String) -> String {
    day
}

fn main() {}
