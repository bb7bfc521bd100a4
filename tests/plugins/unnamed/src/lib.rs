//! A function in a crate that a program may depend on without naming it.

use mcp_runtime::prelude::*;

/// Whether it is there depends on who names this crate.
#[mcp_tool]
pub fn unnamed() {}
