use mcp_runtime::prelude::*;

struct Counter;

#[mcp_server]
impl Counter {
    /// Shows something.
    #[mcp_tool]
    fn show<T: ToString>(&self, what: T) -> String {
        what.to_string()
    }
}

fn main() {}
