use mcp_runtime::prelude::*;

struct Calculator;

impl Calculator {
    #[mcp_resource(uri = "calculator://memory")]
    fn memory(self: std::sync::Arc<Self>) -> String {
        String::new()
    }
}

fn main() {}
