//! A server that has one of everything.

use crate::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::Notify;

/// Two numbers, and what they come to.
#[mcp_type]
struct Sum {
    parts: [i128; 2],
    total: i128,
}

/// What to search for.
#[mcp_type]
#[derive(Debug)]
struct Filter {
    tag: String,
    limit: Option<u32>,
    #[arg(default)]
    env: BTreeMap<String, String>,
}

#[mcp_type]
#[derive(Debug)]
enum Order {
    #[serde(rename = "up")]
    Up,
    #[serde(rename = "down")]
    Down,
}

/// How a test and a function that waits know of each other.
#[derive(Clone, Default)]
pub(super) struct Signs(pub(super) Arc<(Notify, Notify)>);

impl Signs {
    /// The function has started.
    pub(super) async fn started(&self) {
        self.0.0.notified().await;
    }

    /// The function has been dropped, or the test is over.
    pub(super) async fn ended(&self) {
        self.0.1.notified().await;
    }

    /// Ends the wait for the end.
    pub(super) fn end(&self) {
        self.0.1.notify_one();
    }
}

struct EndsWhenDropped(Signs);

impl Drop for EndsWhenDropped {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Adds two numbers.
///
/// Both are whole.
#[mcp_tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Adds two large numbers.
#[mcp_tool]
fn big_sum(a: i128, b: i128) -> Sum {
    Sum { parts: [a, b], total: a + b }
}

#[mcp_tool]
#[allow(deprecated, reason = "a tool without a description is listed as well")]
fn echo(text: String) -> String {
    text
}

/// Does nothing.
#[mcp_tool]
fn nothing() {}

/// Searches.
#[mcp_tool]
fn search(filter: Filter, order: Option<Order>, #[arg(default = 20)] most: u8) -> String {
    format!("{filter:?} {order:?} {most}")
}

/// Fails.
#[mcp_tool]
fn fail() -> Result<String, &'static str> {
    Err("the well is dry")
}

/// Fails for reasons of its own.
#[mcp_tool]
fn hide() -> Result<String, ToolError> {
    Err(ToolError::internal("secret"))
}

/// Panics.
#[mcp_tool]
fn panic() -> String {
    panic!("boom")
}

/// Says it twice.
#[mcp_tool]
fn summary() -> ToolResult {
    ToolResult::new().with("Two in all.").structured(&[1, 2])
}

/// Draws.
#[mcp_tool]
fn chart() -> Image {
    Image::png([0x89, b'P', b'N', b'G'])
}

/// Gives content of several kinds.
#[mcp_tool]
fn mixed() -> Contents {
    Contents::new()
        .with("A chart:\n")
        .with(Image::png([1]))
        .with(ResourceLink::new("note://today", "today"))
        .with(ResourceContents::text("inner").with_uri("note://inner"))
}

/// Reports on its way.
#[mcp_tool]
async fn steps(cx: Context) -> &'static str {
    cx.progress(1, 2);
    cx.debug("hardly worth it");
    tokio::task::yield_now().await;
    cx.info("half");
    cx.warning(Sum { parts: [1, 2], total: 3 });
    cx.progress(2, 2);
    "done"
}

/// Waits for ever.
#[mcp_tool]
async fn wait(signs: State<Signs>) {
    let _ends = EndsWhenDropped(Signs::clone(&signs));
    signs.0.0.notify_one();
    std::future::pending().await
}

/// Keeps its thread until the test is over.
#[mcp_tool]
fn block(signs: State<Signs>) {
    signs.0.0.notify_one();
    Handle::current().block_on(signs.ended());
}

/// Reports, then keeps its thread until the test has seen that.
#[mcp_tool]
fn report(cx: Context, signs: State<Signs>) -> &'static str {
    cx.progress(1, 1);
    Handle::current().block_on(signs.ended());
    "let go"
}

/// The greeting.
#[mcp_resource(uri = "greeting://{name}")]
fn greeting(name: String) -> String {
    format!("Hello, {name}!")
}

/// The page.
#[mcp_resource(uri = "page://{number}")]
fn page(number: u32) -> Option<String> {
    (number < 10).then(|| format!("Page {number}.\n\n"))
}

/// The logo.
#[mcp_resource(uri = "site://logo")]
fn logo() -> &'static [u8] {
    &[0, 255, 10]
}

/// Asks for a review.
#[mcp_prompt]
fn review(code: String, style: Option<String>) -> String {
    format!("Review this code:\n{code}{}", style.unwrap_or_default())
}

/// Asks for a talk.
#[mcp_prompt]
fn talk(times: u32) -> Messages {
    Messages::new().user(format!("{times} times?")).assistant("No.")
}

/// The server.
pub(super) fn server() -> crate::Server {
    crate::Server::new("fixture", "1.2.3")
        .description("Has one of everything.")
        .state(Signs::default())
        .tools(tools![
            add, big_sum, echo, nothing, search, fail, hide, panic, summary, chart, mixed, steps, wait, block, report
        ])
        .resources(resources![greeting, page, logo])
        .prompts(prompts![review, talk])
}

/// A server that has nothing but `add`.
pub(super) fn only_add() -> crate::Server {
    crate::Server::new("small", "0.0.1").tools(tools![add])
}
