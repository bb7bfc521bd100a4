//! A program that depends on the runtime and on nothing else.

#[path = "../../everything.rs"]
mod everything;

mcp_runtime::mcp_main!(everything::listed());
