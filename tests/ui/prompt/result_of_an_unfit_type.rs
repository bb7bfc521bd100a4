use mcp_runtime::prelude::*;

/// Asks for a review.
#[mcp_prompt]
fn ask(times: u32) -> u32 {
    times
}

fn main() {}
