use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool]
fn add(
    /// First addend.
    a: i64,
    /// Second addend.
    b: i64,
) -> i64 {
    a + b
}

/// A greeting for one person.
#[mcp_resource(uri = "greeting://{name}")]
fn greeting(name: String) -> String {
    format!("Hello, {name}!")
}

#[mcp_prompt(description = "Asks for a review of a piece of code.")]
fn review(code: String) -> String {
    format!("Review this code:\n{code}")
}

mcp_main!();
