use mcp_runtime::prelude::*;

#[mcp_resource("notes://today")]
fn notes() -> String {
    String::new()
}

fn main() {}
