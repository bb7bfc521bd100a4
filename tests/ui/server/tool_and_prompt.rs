use mcp_runtime::prelude::*;

struct Counter;

#[mcp_server]
impl Counter {
    /// Counts.
    #[mcp_tool]
    #[mcp_prompt]
    fn count(&self) -> String {
        String::new()
    }
}

fn main() {}
