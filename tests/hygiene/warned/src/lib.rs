//! What is wrong in the author's own code is still said: a line that ends with `warns: LINT` gives that warning, and there
//! are no others.
#![warn(missing_docs, clippy::pedantic, unused_qualifications)]

use mcp_runtime::prelude::*;

/// Shouts.
#[mcp_tool]
#[must_use]
pub fn shout(text: &str) -> String {
    let unused = 1; // warns: unused_variables
    text.to_uppercase()
}

/// Sums numbers up.
#[mcp_tool]
async fn sum(numbers: Vec<i64>) -> i64 {
    std::future::ready(()).await;
    return numbers.iter().sum(); // warns: clippy::needless_return
}

/// Reads.
#[mcp_resource(uri = "notes://{day}")]
fn note(day: String) -> Option<String> {
    let mut day = day; // warns: unused_mut
    day.find('x')?;
    Some(std::string::String::from(day.trim())) // warns: unused_qualifications
}

/// Asks.
#[mcp_prompt]
fn ask(
    name: String,
    unused: u32, // warns: unused_variables
) -> String {
    old(name) // warns: deprecated
}

#[deprecated]
fn old(name: String) -> String {
    name
}

#[mcp_tool]
fn undescribed() {} // warns: deprecated

#[mcp_tool]
pub fn public_and_undescribed() {} // warns: missing_docs deprecated

/// Has a field without a description.
#[mcp_type]
pub struct Point {
    #[arg(default = 1.0)]
    pub x: f64, // warns: missing_docs
    y: u32,
}
