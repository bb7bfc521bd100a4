use mcp_runtime::prelude::*;

#[mcp_resource(uri = "notes://today")]
fn notes(day: &str) -> String {
    day.to_owned()
}

fn main() {}
