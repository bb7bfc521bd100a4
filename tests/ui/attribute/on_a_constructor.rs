use mcp_runtime::prelude::*;

struct Calculator;

impl Calculator {
    /// Starts a greeting.
    #[mcp_prompt]
    fn new(_name: String) -> Self {
        Calculator
    }
}

fn main() {}
