use mcp_runtime::prelude::*;

#[mcp_module(prefix = "pppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp")]
mod math {
    use mcp_runtime::prelude::*;

    /// Multiplies.
    #[mcp_tool]
    fn multiply(a: i64, b: i64) -> i64 {
        a * b
    }
}

fn main() {}
