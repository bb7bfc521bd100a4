use mcp_runtime::prelude::*;
use std::rc::Rc;

struct Counter;

#[mcp_server]
impl Counter {
    /// Waits.
    #[mcp_tool]
    async fn wait(&self) -> usize {
        let count = Rc::new(1);
        std::future::ready(()).await;
        *count
    }
}

fn main() {}
