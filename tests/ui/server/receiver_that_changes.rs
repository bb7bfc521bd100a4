use mcp_runtime::prelude::*;

struct Counter(i64);

#[mcp_server]
impl Counter {
    /// Counts.
    #[mcp_tool]
    fn count(&mut self) -> i64 {
        self.0 += 1;
        self.0
    }
}

fn main() {
    Counter(0).count();
}
