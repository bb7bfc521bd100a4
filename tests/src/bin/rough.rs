//! A server whose functions do whatever a function should not do.

use mcp_runtime::prelude::*;
use mcp_runtime::{Completion, FromContext, Server, ServerHandle};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, IgnoredAny};
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::future::pending;
use std::time::Duration;

/// What every panic says; no client may ever see it.
const SECRET: &str = "the-secret-in-the-panic";

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        // A second panic while a first one unwinds would end the process.
        if !std::thread::panicking() {
            panic!("{SECRET}")
        }
    }
}

impl<'de> Deserialize<'de> for Bomb {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Bomb)
    }
}

impl Serialize for Bomb {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("bomb")
    }
}

impl JsonSchema for Bomb {
    fn schema_name() -> Cow<'static, str> {
        "Bomb".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }
}

/// Is injected, and panics when it is dropped.
struct Injected {
    _bomb: Bomb,
}

impl FromContext for Injected {
    fn from_context(_: &Context) -> Result<Self, ToolError> {
        Ok(Injected { _bomb: Bomb })
    }
}

/// Panics when it is shown or written.
#[derive(Debug)]
struct Shy;

impl fmt::Display for Shy {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("{SECRET}")
    }
}

impl std::error::Error for Shy {}

impl Serialize for Shy {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("{SECRET}")
    }
}

impl JsonSchema for Shy {
    fn schema_name() -> Cow<'static, str> {
        "Shy".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object"})
    }
}

/// Panics when it is dropped, whatever goes on, and throws another one of its kind.
struct Evil;

impl Drop for Evil {
    fn drop(&mut self) {
        std::panic::panic_any(Evil)
    }
}

/// Gives a text back.
#[mcp_tool]
fn echo(text: String) -> String {
    text
}

/// Takes an argument that panics when it is dropped.
#[mcp_tool]
fn takes(bomb: Bomb) -> &'static str {
    let _bomb = bomb;
    "never"
}

/// The same on the pool for blocking work.
#[mcp_tool(blocking)]
fn takes_blocking(bomb: Bomb) -> &'static str {
    let _bomb = bomb;
    "never"
}

/// The same after a while.
#[mcp_tool]
async fn takes_later(bomb: Bomb) -> &'static str {
    tokio::task::yield_now().await;
    let _bomb = bomb;
    "never"
}

/// Is injected what panics when it is dropped.
#[mcp_tool]
fn injected(value: Injected) -> &'static str {
    let _value = value;
    "never"
}

/// Gives what panics when it is dropped.
#[mcp_tool]
fn gives() -> Bomb {
    Bomb
}

/// Gives it after a while.
#[mcp_tool]
async fn gives_later() -> Bomb {
    tokio::task::yield_now().await;
    Bomb
}

/// Gives what panics when it is written.
#[mcp_tool]
fn writes() -> Shy {
    Shy
}

/// Gives it after a while.
#[mcp_tool]
async fn writes_later() -> Shy {
    tokio::task::yield_now().await;
    Shy
}

/// Fails with an error that panics when it is shown.
#[mcp_tool]
fn shows() -> Result<String, Shy> {
    Err(Shy)
}

/// Fails because of an error that panics when it is shown.
#[mcp_tool]
fn causes() -> Result<String, ToolError> {
    Err(ToolError::internal(Shy))
}

/// The same after a while.
#[mcp_tool]
async fn causes_later() -> Result<String, ToolError> {
    tokio::task::yield_now().await;
    Err(ToolError::internal(Shy))
}

/// Throws what panics when it is dropped.
#[mcp_tool]
fn throws() -> String {
    std::panic::panic_any(Evil)
}

/// Throws it after a while.
#[mcp_tool]
async fn throws_later() -> String {
    tokio::task::yield_now().await;
    std::panic::panic_any(Evil)
}

/// Throws it on the pool for blocking work.
#[mcp_tool(blocking)]
fn throws_blocking() -> String {
    std::panic::panic_any(Evil)
}

/// Panics, and so does whoever is asked for its words.
#[mcp_prompt]
fn says(#[arg(complete = panics)] word: String, #[arg(complete = panics_later)] other: Option<String>) -> String {
    panic!("{SECRET}: {word}{other:?}")
}

fn panics(_typed: &str) -> Vec<String> {
    panic!("{SECRET}")
}

async fn panics_later(_: Completion) -> Vec<String> {
    tokio::task::yield_now().await;
    panic!("{SECRET}")
}

/// A page of a book whose list panics.
#[mcp_resource(uri = "book://{page}", list = pages)]
fn book(page: u32) -> String {
    panic!("{SECRET}: {page}")
}

async fn pages(_: Context) -> Vec<ResourceLink> {
    panic!("{SECRET}")
}

/// Takes too long, and panics when it is given up.
#[mcp_tool(timeout = "20ms")]
async fn too_long() {
    let _bomb = Bomb;
    pending::<()>().await;
}

/// Never returns, and panics when it is given up.
#[mcp_tool]
async fn forever() {
    let _bomb = Bomb;
    pending::<()>().await;
}

/// Never returns, and holds a thread of the pool for blocking work.
#[mcp_tool(blocking)]
fn stuck_blocking() {
    loop {
        std::thread::sleep(Duration::from_secs(60));
    }
}

/// Never returns, and holds the thread that its request was read on.
#[mcp_tool]
fn stuck() {
    loop {
        std::thread::sleep(Duration::from_secs(60));
    }
}

/// Works for a while.
#[mcp_tool]
async fn nap(ms: u64) -> &'static str {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    "slept"
}

/// Complains to the operator.
#[mcp_tool]
fn complains(times: u32) -> u32 {
    for time in 0..times {
        tracing::error!(time, "something is wrong");
    }
    times
}

/// Writes to standard output in every way that there is.
#[mcp_tool]
#[allow(clippy::print_stdout)]
fn prints() -> bool {
    println!("printed by the function");
    // What C libraries do: a write to the descriptor itself.
    #[cfg(unix)]
    let written = rustix::io::write(rustix::stdio::stdout(), b"written to the descriptor\n").is_ok();
    #[cfg(not(unix))]
    let written = true;
    let child = std::process::Command::new("echo").arg("printed by a child").status();
    written && child.is_ok_and(|status| status.success())
}

/// How many bytes come on standard input.
#[mcp_tool]
fn reads() -> usize {
    std::io::stdin().lines().map_while(Result::ok).map(|line| line.len()).sum()
}

/// Could change what there is, so that there is something to listen to.
#[mcp_tool]
fn changes(server: ServerHandle) {
    drop(server);
}

/// Sends the caller more than anybody reads, and tells the operator when it is done.
#[mcp_tool]
#[allow(clippy::print_stderr)]
fn floods(times: u32, cx: Context) {
    let text = "x".repeat(10_000);
    for _ in 0..times {
        cx.info(&text);
    }
    eprintln!("flooded");
}

fn server() -> Server {
    let server = mcp_runtime::server!();
    let milliseconds = std::env::var("ROUGH_GRACE").ok().and_then(|text| text.parse().ok());
    match milliseconds {
        Some(milliseconds) => server.shutdown_grace(Duration::from_millis(milliseconds)),
        None => server,
    }
}

mcp_main!(server());
