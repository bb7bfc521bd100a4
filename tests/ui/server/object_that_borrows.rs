use mcp_runtime::prelude::*;

struct Text<'a>(&'a str);

#[mcp_server]
impl<'a> Text<'a> {
    /// The text.
    #[mcp_tool]
    fn text(&self) -> String {
        self.0.to_owned()
    }
}

fn main() {}
