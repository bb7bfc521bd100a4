use mcp_runtime::prelude::*;

struct Counter;

#[mcp_server(list = "functions")]
impl Counter {
    /// Counts.
    #[mcp_tool]
    fn count(&self) -> i64 {
        1
    }
}

fn main() {}
