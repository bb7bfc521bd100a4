use mcp_runtime::prelude::*;

/// Makes a text loud.
#[mcp_tool]
fn shout(text: String) -> {
    text.to_uppercase()
}

fn other() -> String {
    let _ = tools![shout];
    shout(String::new())
}

fn main() {}
