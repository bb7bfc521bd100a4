use mcp_runtime::prelude::*;

#[mcp_resource(uri = NOTES)]
fn notes() -> String {
    String::new()
}

fn main() {}
