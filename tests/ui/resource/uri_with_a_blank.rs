use mcp_runtime::prelude::*;

#[mcp_resource(uri = "notes://to day")]
fn notes() -> String {
    String::new()
}

fn main() {}
