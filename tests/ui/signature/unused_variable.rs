#![deny(warnings)]

use mcp_runtime::prelude::*;

/// Makes a text loud.
#[mcp_tool]
fn shout(text: String) -> String {
    let unused = 1;
    text
}

fn main() {}
