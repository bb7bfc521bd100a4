use mcp_runtime::prelude::*;

#[mcp_server]
trait Calculator {
    #[mcp_tool]
    fn add(&self, a: i64, b: i64) -> i64;
}

fn main() {}
