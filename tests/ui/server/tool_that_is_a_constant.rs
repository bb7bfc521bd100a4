use mcp_runtime::prelude::*;

struct Counter;

#[mcp_server]
impl Counter {
    #[mcp_tool]
    const STEP: i64 = 1;

    /// Counts.
    #[mcp_tool]
    fn count(&self) -> i64 {
        Self::STEP
    }
}

fn main() {}
