//! A program of the edition before.
#![warn(rust_2024_compatibility)]

#[path = "../../everything.rs"]
mod everything;

mcp_runtime::mcp_main!(everything::listed());
