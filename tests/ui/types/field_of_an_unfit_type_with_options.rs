// 5 errors: each of the derives says where it cannot take the field
use mcp_runtime::prelude::*;

struct Size(u32);

#[mcp_type]
struct Page {
    size: Size,
    #[arg(min = 1)]
    number: u32,
}

fn main() {}
