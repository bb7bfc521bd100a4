#![deny(warnings)]

use mcp_runtime::prelude::*;

#[mcp_tool]
fn shout(text: String) -> String {
    let unused = 1;
    text
}

fn main() {}
