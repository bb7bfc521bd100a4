use mcp_runtime::prelude::*;

#[mcp_resource(url = "notes://today")]
fn notes() -> String {
    String::new()
}

fn main() {}
