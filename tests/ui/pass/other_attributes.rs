//! Other attributes stay what they are, above and below ours.
#![deny(warnings)]
use mcp_runtime::prelude::*;

/// Gives the number back.
#[must_use]
#[mcp_tool]
#[inline]
fn above_and_below(a: i64) -> i64 {
    a
}

/// Gives the number back.
#[mcp_tool]
#[deprecated(note = "use something else")]
fn deprecated(a: i64) -> i64 {
    a
}

/// Is never there.
#[mcp_tool]
#[cfg(any())]
fn never_there(a: NoSuchType) -> i64 {
    a
}

/// Is never there.
#[cfg(any())]
#[mcp_tool]
fn never_there(a: NoSuchType) -> i64 {
    a
}

/// Gives a one.
#[cfg_attr(all(), mcp_tool)]
#[cfg_attr(any(), no_such_attribute)]
fn conditional(#[allow(unused_variables)] a: i64) -> i64 {
    1
}

/// Does nothing.
#[mcp_tool]
#[allow(unused_variables, clippy::needless_pass_by_value)]
fn quiet(text: String) {}

#[mcp_type]
#[derive(Debug, Clone, PartialEq, Default)]
#[serde(rename_all = "camelCase")]
struct Mixed {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(min = 1)]
    big_count: Option<u32>,
    #[schemars(length(min = 1))]
    names: Vec<String>,
}

/// Gives the value back.
#[mcp_tool]
fn mixed(value: Mixed) -> Mixed {
    value
}

fn main() {
    assert_eq!(above_and_below(1), 1);
    assert_eq!(mixed(Mixed::default()), Mixed { big_count: None, names: Vec::new() });
    assert_eq!(tools![conditional][0].name, "conditional");
    let server = server!().build();
    assert!(server.is_ok(), "{:?}", server.err());
}
