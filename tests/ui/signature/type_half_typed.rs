use mcp_runtime::prelude::*;

/// Makes a text loud.
#[mcp_tool]
fn shout(text: , times: u32) -> String {
    times.to_string()
}

fn other() -> String {
    let _ = tools![shout];
    shout(String::new(), 1)
}

fn main() {}
