//! The fixture as a program of its own, for the transports that need a process.

mcp_runtime::mcp_main!(mcp_tests::fixture::server());
