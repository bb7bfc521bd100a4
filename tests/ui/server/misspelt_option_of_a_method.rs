use mcp_runtime::prelude::*;

struct Counter;

#[mcp_server]
impl Counter {
    /// Counts.
    #[mcp_tool(read_onyl)]
    fn count(&self) -> i64 {
        1
    }
}

fn main() {}
