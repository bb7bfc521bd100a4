//! A function and its marker are as visible as each other, and one `use` brings both.
#![deny(warnings)]
use mcp_runtime::prelude::*;

mod math {
    use mcp_runtime::prelude::*;

    /// Adds two numbers.
    #[mcp_tool]
    pub fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    /// Subtracts.
    #[mcp_tool]
    pub(crate) fn sub(a: i64, b: i64) -> i64 {
        a - b
    }

    pub(super) mod deep {
        use mcp_runtime::prelude::*;

        /// Halves a number.
        #[mcp_tool]
        pub(in crate::math) fn half(a: i64) -> i64 {
            a / 2
        }

        /// Asks for a review.
        #[mcp_prompt]
        pub(super) fn ask() -> &'static str {
            "?"
        }
    }

    pub(crate) fn list() -> [&'static mcp_runtime::__private::ToolEntry; 1] {
        assert_eq!(deep::half(4), 2);
        assert_eq!(prompts![deep::ask][0].name, "ask");
        tools![deep::half]
    }
}

use math::add;

/// Does nothing.
#[mcp_tool]
fn private() {}

fn main() {
    /// Gives the number back.
    #[mcp_tool]
    fn local(a: i64) -> i64 {
        a
    }

    assert_eq!(add(1, math::sub(3, local(1))), 3);
    let tools = tools![add, math::sub, private, local].into_iter().chain(math::list());
    assert!(server!().tools(tools).build().is_ok());
}
