use mcp_runtime::prelude::*;

/// Makes a text loud.
#[mcp_tool]
fn shout(#[arg(default = )] text: String) -> String {
    text.to_uppercase()
}

fn other() -> String {
    let _ = tools![shout];
    shout(String::new())
}

fn main() {}
