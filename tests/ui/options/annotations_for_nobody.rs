use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_resource(uri = "a://b", annotations(audience(robot)))]
fn f() -> String {
    String::new()
}

fn main() {}
