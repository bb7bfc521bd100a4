use mcp_runtime::prelude::*;

/// Stops the server.
#[mcp_tool]
fn stop(code: i32) -> ! {
    std::process::exit(code)
}

fn main() {}
