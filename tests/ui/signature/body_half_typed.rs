use mcp_runtime::prelude::*;

/// Makes a text loud.
#[mcp_tool]
fn shout(text: String) -> String {
    text.
}

fn other() -> String {
    let _ = tools![shout];
    shout(String::new())
}

fn main() {}
