use mcp_runtime::prelude::*;

struct Name;

#[mcp_prompt]
fn ask(name: Name) -> String {
    let Name = name;
    String::new()
}

fn main() {}
