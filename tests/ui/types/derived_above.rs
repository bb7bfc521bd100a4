use mcp_runtime::prelude::*;

#[derive(mcp_runtime::__private::serde::Serialize)]
#[serde(crate = "mcp_runtime::__private::serde")]
#[mcp_type]
struct Page {
    size: u32,
}

fn main() {}
