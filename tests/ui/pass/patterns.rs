//! Parameters take every pattern that says what its argument is called, or belongs to an injected value.
use mcp_runtime::prelude::*;
use mcp_runtime::FromContext;

#[mcp_type]
struct Search {
    text: String,
    limit: Option<u32>,
}

struct Tenant {
    name: String,
}

impl FromContext for Tenant {
    fn from_context(cx: &Context) -> Result<Self, ToolError> {
        Ok(Tenant { name: cx.protocol_version().to_owned() })
    }
}

/// Sums a list up.
#[mcp_tool]
fn mutable(mut list: Vec<u32>, mut sum: u32) -> u32 {
    list.sort_unstable();
    sum += list.iter().sum::<u32>();
    sum
}

/// Searches.
#[mcp_tool]
fn whole(Args(search): Args<Search>) -> String {
    format!("{} {:?}", search.text, search.limit)
}

/// Shows a search.
#[mcp_tool]
fn taken_apart(Args(Search { text, limit }): Args<Search>, Tenant { name }: Tenant, _: Context) -> String {
    format!("{text} {limit:?} {name}")
}

/// Shows a point.
#[mcp_tool]
fn named(#[arg(rename = "point", min_items = 2)] (x, y): (i32, i32), ref all: String) -> String {
    format!("{x} {y} {all}")
}

/// Does nothing.
#[mcp_tool]
fn unused(_text: String, _: &Context) {}

fn main() {
    assert_eq!(named((1, 2), "a".into()), "1 2 a");
    let server = server!().build();
    assert!(server.is_ok(), "{:?}", server.err());
}
