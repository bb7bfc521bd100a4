use mcp_runtime::prelude::*;

/// Makes texts loud.
#[mcp_tool]
fn shout(texts: Vec<impl Into<String>>) -> Vec<String> {
    texts.into_iter().map(|text| text.into().to_uppercase()).collect()
}

fn main() {}
