use mcp_runtime::prelude::*;

struct Calculator;

impl Calculator {
    /// Reads the memory.
    #[mcp_resource(uri = "calculator://memory")]
    fn memory(self: std::sync::Arc<Self>) -> String {
        String::new()
    }
}

fn main() {}
