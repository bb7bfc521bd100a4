use mcp_runtime::prelude::*;

struct Numbers;

#[mcp_server]
impl Numbers {
    /// Adds numbers.
    #[mcp_tool]
    fn sum(&self, numbers: [i64]) -> i64 {
        numbers.iter().sum()
    }
}

fn main() {}
