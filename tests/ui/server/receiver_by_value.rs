use mcp_runtime::prelude::*;

struct Counter(i64);

#[mcp_server]
impl Counter {
    /// The count.
    #[mcp_tool]
    fn count(self) -> i64 {
        self.0
    }
}

fn main() {
    Counter(0).count();
}
