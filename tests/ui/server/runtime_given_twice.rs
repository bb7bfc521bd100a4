use mcp_runtime::prelude::*;

struct Counter;

#[mcp_server(crate = ::mcp_runtime)]
impl Counter {
    /// Counts.
    #[mcp_tool(crate = ::mcp_runtime)]
    fn count(&self) -> i64 {
        1
    }
}

fn main() {}
