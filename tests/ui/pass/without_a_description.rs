//! The warning of a missing description can be silenced, and is not given where a description comes from elsewhere.
#![deny(warnings)]
use mcp_runtime::prelude::*;

#[mcp_tool]
#[allow(deprecated)]
fn silenced() {}

#[mcp_prompt(description = "Asks for something.")]
fn told_by_the_attribute() -> String {
    String::new()
}

#[doc = concat!("Reads ", "something.")]
#[mcp_resource(uri = "a://b")]
fn told_by_a_macro() -> String {
    String::new()
}

mod silenced_together {
    #![allow(deprecated)]
    use mcp_runtime::prelude::*;

    ///
    #[mcp_tool]
    fn one() {}

    #[mcp_prompt(description = "")]
    fn other() -> String {
        String::new()
    }
}

fn main() {
    assert!(server!().build().is_ok());
}
