use mcp_runtime::prelude::*;

#[mcp_prompt]
fn ask(times: u32) -> u32 {
    times
}

fn main() {}
