use mcp_runtime::prelude::*;

#[mcp_resource(uri = "notes://today")]
fn notes() -> f64 {
    1.5
}

fn main() {}
