use mcp_runtime::prelude::*;

/// Reads the notes.
#[mcp_resource(uri = "notes://{+from}/to/{+to}")]
fn notes(from: String, to: String) -> String {
    from + &to
}

fn main() {}
