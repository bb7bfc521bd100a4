use mcp_runtime::prelude::*;
use std::future::Future;

/// Greets someone.
#[mcp_tool]
fn greet(name: String) -> impl Future<Output = String> + Send {
    async move { name }
}

fn main() {}
