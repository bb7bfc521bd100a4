//! Attribute macros of `mcp-runtime`.
