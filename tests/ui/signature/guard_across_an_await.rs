use mcp_runtime::prelude::*;
use std::sync::Mutex;

static COUNT: Mutex<u32> = Mutex::new(0);

/// Counts.
#[mcp_tool]
async fn count() -> u32 {
    let mut count = COUNT.lock().unwrap();
    *count += 1;
    std::future::ready(()).await;
    *count
}

fn main() {}
