use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_resource(uri = "a://b", annotations(priority = 2))]
fn f() -> String {
    String::new()
}

fn main() {}
