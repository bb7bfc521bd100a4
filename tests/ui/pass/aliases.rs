//! What a type is does not depend on how it is spelled.
use mcp_runtime::prelude::*;
use mcp_runtime::{Context as Cx, mcp_tool as tool, prelude as p};

type Request = mcp_runtime::Context;
type Shared = State<Counter>;
type Answer<T> = std::result::Result<T, ToolError>;
type Whole = p::Args<Search>;
type Bytes = Vec<u8>;

struct Counter(u32);

#[mcp_type]
struct Search {
    text: String,
}

/// Adds to the number.
#[tool]
fn renamed_attribute(a: i64, odd_name: &Cx) -> i64 {
    a + i64::from(odd_name.wants_progress())
}

/// Adds to the count.
#[p::mcp_tool]
fn aliased(cx: Request, count: &Shared, a: u32) -> Answer<u32> {
    let _ = cx;
    Ok(a + count.0)
}

/// Searches.
#[mcp_runtime::mcp_tool]
async fn whole(p::Args(search): Whole) -> Answer<String> {
    Ok(search.text)
}

/// Reads bytes.
#[mcp_resource(uri = "bytes://{count}")]
fn bytes(count: usize, _: Request) -> Option<Bytes> {
    Some(vec![0; count])
}

/// Asks for a review.
#[mcp_prompt]
fn ask(cx: &Request, who: String) -> Answer<p::Message> {
    let _ = cx;
    Ok(Message::user(who))
}

fn main() {
    let server = server!().state(Counter(1)).build();
    assert!(server.is_ok(), "{:?}", server.err());
}
