use mcp_runtime::prelude::*;

/// Sleeps for a while.
#[mcp_tool]
async fn nap(ms: u64) -> u64 {
    let ms = std::rc::Rc::new(ms);
    std::future::ready(()).await;
    *ms
}

fn main() {}
