//! Names that expansions use inside of themselves are free for authors.
#![deny(warnings)]
#![allow(non_upper_case_globals, dead_code)]
use mcp_runtime::prelude::*;

mod core {}
mod std {}

struct Tool;
struct Entry;
enum Option {
    Some,
    None,
}
use Option::{None, Some};

const d: i64 = 7;

/// Adds two numbers.
#[mcp_tool]
fn call(#[arg(default = d)] p0: i64, p1: i64) -> i64 {
    let _ = (Some, None, Option::Some, Entry, Tool);
    p0 + p1
}

/// Gives the number back.
#[mcp_tool]
fn describe(call: i64) -> i64 {
    call
}

/// Adds three numbers.
#[mcp_tool]
fn p0(p0: i64, name: i64, origin: i64) -> i64 {
    p0 + name + origin
}

/// Asks for a reply.
#[mcp_prompt]
fn reply(resolve: String) -> String {
    resolve
}

fn main() {
    assert_eq!(call(d, describe(p0(1, 1, 1))), 10);
    assert_eq!(prompts![reply][0].name, "reply");
    assert!(server!().build().is_ok());
}
