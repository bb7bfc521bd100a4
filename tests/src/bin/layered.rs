//! The fixture behind a layer, as a program of its own.

mcp_runtime::mcp_main!(mcp_tests::layered::server());
