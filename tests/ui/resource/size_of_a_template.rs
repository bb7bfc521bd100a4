use mcp_runtime::prelude::*;

/// A note.
#[mcp_resource(uri = "notes://{id}", size = 1024)]
fn note(id: String) -> String {
    id
}

fn main() {}
