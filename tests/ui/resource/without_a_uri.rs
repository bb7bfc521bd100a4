use mcp_runtime::prelude::*;

#[mcp_resource]
fn notes() -> String {
    String::new()
}

fn main() {}
