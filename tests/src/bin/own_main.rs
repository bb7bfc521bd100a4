//! A server with a `main` and a runtime of its own, whose functions never return: over HTTP if it is told to, else over stdio.

use mcp_runtime::prelude::*;
use std::process::exit;
use std::time::Duration;

/// Gives a text back.
#[mcp_tool]
fn echo(text: String) -> String {
    text
}

/// Never ends.
#[mcp_tool]
async fn forever() {
    std::future::pending::<()>().await;
}

/// Never returns, and holds a thread of the pool for blocking work.
#[mcp_tool(blocking)]
fn stuck_blocking() {
    loop {
        std::thread::sleep(Duration::from_secs(60));
    }
}

#[tokio::main]
#[allow(clippy::print_stderr)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = mcp_runtime::server!().shutdown_grace(Duration::from_secs(600));
    if std::env::args().any(|argument| argument == "--http") {
        let listener = server.build()?.bind_http("127.0.0.1:0").await?;
        eprintln!("{}", listener.url());
        listener.serve().await?;
    } else {
        server.serve_stdio().await?;
    }
    // The runtime waits for functions that block when it is dropped: these never return.
    exit(0)
}
