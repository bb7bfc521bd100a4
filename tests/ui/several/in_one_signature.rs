// 4 mistakes
use mcp_runtime::prelude::*;

/// Shouts until the end of time.
#[mcp_tool]
unsafe fn shout<T>(text: impl Into<String>, _other: T) -> ! {
    panic!("{}", text.into())
}

fn main() {}
