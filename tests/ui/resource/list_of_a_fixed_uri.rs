use mcp_runtime::prelude::*;

fn days() -> Vec<ResourceLink> {
    Vec::new()
}

#[mcp_resource(uri = "notes://today", description = "One.", list = days)]
fn today() -> String {
    String::new()
}

fn main() {}
