//! A library whose functions have other attributes above and below ours.
#![deny(warnings)]

use attributes::{around, nothing};
use mcp_runtime::prelude::*;

/// Adds.
#[around]
#[mcp_tool(title = "Add")]
pub fn above(a: i64, #[arg(min = 1)] b: i64) -> i64 {
    a + b
}

/// Adds.
#[mcp_tool]
#[around]
pub async fn below(
    /// The first.
    a: i64,
    b: &str,
) -> Result<i64, String> {
    std::future::ready(()).await;
    b.parse::<i64>().map(|b| a + b).map_err(|error| error.to_string())
}

#[around]
/// Adds.
#[mcp_tool]
#[nothing]
#[around]
#[must_use]
#[inline]
#[cfg_attr(all(), allow(unused_variables), doc = "Or does not.")]
pub fn on_both_sides(a: i64, #[cfg_attr(all(), allow(unused_variables))] unused: Option<u8>) -> i64 {
    a
}

/// Reads.
#[around]
#[mcp_resource(uri = "a://{b}")]
#[nothing]
pub fn read(#[arg(complete = names)] b: String) -> String {
    b
}

fn names(_typed: &str) -> Vec<String> {
    Vec::new()
}

/// Asks.
#[nothing]
#[mcp_prompt]
#[around]
pub fn ask() -> String {
    String::new()
}

/// A value.
#[nothing]
#[mcp_type]
#[nothing]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub struct Value {
    #[cfg(any())]
    never: NoSuchType,
    #[cfg_attr(all(), serde(rename = "A"))]
    a: u32,
}

/// A program in a library.
pub mod program {
    use super::*;

    mcp_main!(server!().tools(tools![above, below, on_both_sides]).resources(resources![read]).prompts(prompts![ask]));

    /// Runs it.
    pub fn run() -> std::process::ExitCode {
        main()
    }
}
