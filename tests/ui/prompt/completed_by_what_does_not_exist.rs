use mcp_runtime::prelude::*;

/// Asks for a review.
#[mcp_prompt]
fn ask(#[arg(complete = names)] name: String) -> String {
    name
}

fn main() {}
