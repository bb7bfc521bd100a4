use mcp_runtime::prelude::*;
use std::cell::Cell;

struct Counter(Cell<i64>);

#[mcp_server]
impl Counter {
    /// The count.
    #[mcp_tool]
    fn count(&self) -> i64 {
        self.0.get()
    }
}

fn main() {}
