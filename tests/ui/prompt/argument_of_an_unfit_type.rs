use mcp_runtime::prelude::*;

struct Name;

/// Asks for a review.
#[mcp_prompt]
fn ask(name: Name) -> String {
    let Name = name;
    String::new()
}

fn main() {}
