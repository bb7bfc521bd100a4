use mcp_runtime::prelude::*;

#[mcp_module(prefix = "math", list = functions)]
mod math {
    use mcp_runtime::prelude::*;

    /// Adds.
    #[mcp_tool(raed_only)]
    fn add(a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {
    math::functions();
}
