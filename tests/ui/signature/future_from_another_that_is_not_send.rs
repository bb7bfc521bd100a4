use mcp_runtime::prelude::*;

async fn doze(ms: u64) -> u64 {
    let ms = std::rc::Rc::new(ms);
    std::future::ready(()).await;
    *ms
}

/// Sleeps for a while.
#[mcp_tool]
async fn nap(ms: u64) -> u64 {
    doze(ms).await
}

fn main() {}
