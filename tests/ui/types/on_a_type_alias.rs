use mcp_runtime::prelude::*;

#[mcp_type]
type Page = Vec<String>;

fn main() {}
