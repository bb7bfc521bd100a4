// 5 mistakes
use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool(titel = "Add")]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Reads the notes of a day.
#[mcp_resource(uri = "notes://{day}")]
fn notes(dya: String) -> String {
    dya
}

/// Asks for a review.
#[mcp_prompt]
fn review(#[arg(complete)] code: String) -> String {
    code
}

/// Gives a value back.
#[mcp_tool]
fn same<T>(value: T) -> T {
    value
}

/// Calls the others.
#[mcp_tool]
fn all() -> i64 {
    notes(review(String::new()));
    add(1, 2) + "three"
}

fn main() {}
