#![deny(deprecated)]
use mcp_runtime::prelude::*;

#[mcp_resource(uri = "notes://today", description = " ")]
fn today() -> String {
    String::new()
}

fn main() {}
