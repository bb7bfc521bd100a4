use mcp_runtime::prelude::*;

fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Greets a person.
#[mcp_prompt]
fn greet(name: String) -> String {
    name
}

fn list() {
    let _ = tools![greet];
}

fn main() {}
