//! The fixture as a program of its own, for the transports that need a process. It counts the memory that it holds.

use cap::Cap;
use mcp_runtime::prelude::*;
use std::alloc::System;

#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// How many bytes the process has allocated and not given back.
#[mcp_tool]
fn heap() -> usize {
    MEMORY.allocated()
}

mcp_main!(mcp_tests::fixture::server());
