use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_resource(uri = "a://b", annotations(last_modified = "2026-01-31"))]
fn f() -> String {
    String::new()
}

fn main() {}
