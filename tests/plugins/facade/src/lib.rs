//! A crate with a function of its own, and all of another.

use mcp_runtime::prelude::*;

pub use plugin;

/// Of the facade.
#[mcp_tool]
pub fn own() {}
