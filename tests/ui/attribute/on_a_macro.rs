use mcp_runtime::prelude::*;

#[mcp_tool]
thread_local! {
    static COUNT: u32 = 1;
}

fn main() {}
