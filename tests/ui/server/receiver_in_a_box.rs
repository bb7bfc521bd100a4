use mcp_runtime::prelude::*;

struct Counter(i64);

#[mcp_server]
impl Counter {
    /// The count.
    #[mcp_tool]
    fn count(self: Box<Self>) -> i64 {
        self.0
    }
}

fn main() {
    Box::new(Counter(0)).count();
}
