use mcp_runtime::prelude::*;

#[mcp_tool]
async fn nap(ms: u64) -> u64 {
    let ms = std::rc::Rc::new(ms);
    std::future::ready(()).await;
    *ms
}

fn main() {}
