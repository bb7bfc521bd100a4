use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(uri = "notes://{cx}")]
fn notes(cx: &Context) -> String {
    cx.protocol_version().to_owned()
}

fn main() {}
