//! Parameters by reference, and results that borrow from them.
use mcp_runtime::prelude::*;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

#[mcp_type]
struct NotClone {
    text: String,
}

/// Trims a text.
#[mcp_tool]
fn trim(text: &str) -> &str {
    text.trim()
}

/// Gives the longer text.
#[mcp_tool]
fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.len() < b.len() { b } else { a }
}

/// Trims a text, later.
#[mcp_tool]
async fn later<'t, 'unused>(text: &'t str) -> Result<&'t str, ToolError>
where
    'unused: 't,
{
    std::future::ready(()).await;
    Ok(text.trim())
}

/// Lists texts.
#[mcp_tool(blocking)]
fn blocking<'a>(text: &'a str, list: &'a [String]) -> Vec<&'a str> {
    list.iter().map(String::as_str).chain([text]).collect()
}

/// Puts values together.
#[mcp_tool]
fn without_clone(value: &NotClone, state: &State<u32>, cx: &Context, Args(_): &Args<NotClone>) -> String {
    format!("{}{}{}", value.text, **state, cx.protocol_version())
}

/// Puts texts together.
#[mcp_tool]
fn borrowed(text: Cow<'_, str>, path: &Path, #[arg(default = "x")] other: &str, number: &i64) -> String {
    format!("{text}{}{other}{number}", path.display())
}

/// Reads what there is.
#[mcp_resource(uri = "x://{a}/{+rest}")]
fn resource(a: &str, rest: &str, cx: &Context) -> String {
    format!("{a}{rest}{}", cx.protocol_version())
}

/// Asks for two things.
#[mcp_prompt]
fn prompt(a: &str, b: &Option<u32>) -> String {
    format!("{a}{b:?}")
}

fn main() {
    assert_eq!(trim(" a "), "a");
    assert_eq!(borrowed("a".into(), &PathBuf::from("b"), "c", &1), "abc1");
    assert_eq!(tools![trim, longest, later, blocking, borrowed].len(), 5);
}
