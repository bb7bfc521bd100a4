//! Servers built with `mcp-runtime`: each other file of this folder is one program, `cargo run --example NAME`.
