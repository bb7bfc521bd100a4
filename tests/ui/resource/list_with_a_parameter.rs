use mcp_runtime::prelude::*;

fn days(typed: &str) -> Vec<ResourceLink> {
    vec![ResourceLink::new(format!("notes://{typed}"), "A day")]
}

#[mcp_resource(uri = "notes://{day}", description = "One.", list = days)]
fn notes(day: String) -> String {
    day
}

fn main() {}
