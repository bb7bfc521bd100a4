use mcp_runtime::prelude::*;

/// Does nothing.
#[mcp_resource(uri = "a://b", annotations(lastModified = "2026-01-31T09:00:00Z"))]
fn f() -> String {
    String::new()
}

fn main() {}
