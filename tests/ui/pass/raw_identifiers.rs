//! `r#` is Rust's, and no client sees it.
use mcp_runtime::prelude::*;

/// Matches a text.
#[mcp_tool]
fn r#match(r#type: String, r#fn: Option<u32>) -> String {
    format!("{type} {fn:?}", r#type = r#type, r#fn = r#fn)
}

/// Reads what there is.
#[mcp_resource(uri = "x://{type}/{loop}")]
fn r#static(r#type: String, r#loop: String) -> String {
    r#type + &r#loop
}

/// Asks for a move.
#[mcp_prompt]
fn r#move(r#in: String) -> String {
    r#in
}

#[mcp_type]
struct Kind {
    #[arg(default = "x", min_length = 1)]
    r#type: String,
}

/// Tells the kind.
#[mcp_tool]
fn kind(kind: Kind) -> String {
    kind.r#type
}

fn main() {
    assert_eq!(tools![r#match][0].name, "match");
    assert_eq!(resources![r#static][0].name, "static");
    assert_eq!(prompts![r#move][0].name, "move");
    assert!(server!().build().is_ok());
}
