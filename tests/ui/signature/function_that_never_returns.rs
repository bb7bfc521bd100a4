use mcp_runtime::prelude::*;

#[mcp_tool]
fn stop(code: i32) -> ! {
    std::process::exit(code)
}

fn main() {}
