use mcp_runtime::prelude::*;

fn names(typed: String) -> u32 {
    typed.len() as u32
}

/// Asks for a review.
#[mcp_prompt]
fn ask(#[arg(complete = names)] name: String) -> String {
    name
}

fn main() {}
