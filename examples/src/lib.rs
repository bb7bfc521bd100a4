//! Examples of servers built with `mcp-runtime`; each file of this folder is one program.
