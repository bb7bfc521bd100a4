//! The server that long runs talk to: over stdio, or with `serve --http ADDR` over HTTP.
//!
//! Every function is given a text that no other call has, a nonce, and gives it back. What belongs to a session is what its
//! client called itself, which the client alone knows.

mod recorder;
mod store;

use mcp_endurance::way::{CHAIN, KEY};
use mcp_endurance::{BODY_LIMIT, CERTIFICATE, REST, SECRET, SESSIONS};
use mcp_runtime::prelude::*;
use mcp_runtime::{Elicited, Server, ServerHandle, Tls};
use recorder::{Gauges, install};
use std::env;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use store::FileSessions;

/// Functions that have begun and neither ended nor been dropped.
static RUNNING: AtomicI64 = AtomicI64::new(0);

/// Counts as one as long as its function runs.
struct Running;

impl Running {
    fn begin() -> Self {
        RUNNING.fetch_add(1, Ordering::SeqCst);
        Running
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Answers at once.
#[mcp_tool]
fn fast(nonce: String) -> String {
    nonce
}

/// Waits without blocking.
#[mcp_tool]
async fn slow(nonce: String, ms: u64) -> String {
    let _running = Running::begin();
    tokio::time::sleep(Duration::from_millis(ms)).await;
    nonce
}

/// Blocks a thread.
#[mcp_tool(blocking)]
fn block(nonce: String, ms: u64) -> String {
    let _running = Running::begin();
    std::thread::sleep(Duration::from_millis(ms));
    nonce
}

/// Answers with so many bytes behind the nonce.
#[mcp_tool]
fn large(nonce: String, bytes: usize) -> String {
    let mut text = nonce;
    text.extend(std::iter::repeat_n('x', bytes));
    text
}

/// Fails.
#[mcp_tool]
fn fail(nonce: String) -> Result<String, String> {
    Err(nonce)
}

/// Panics at once.
#[mcp_tool]
fn crash(nonce: String) -> String {
    panic!("{SECRET} {nonce}")
}

/// Panics after it has waited.
#[mcp_tool]
async fn crash_later(nonce: String) -> String {
    let _running = Running::begin();
    tokio::time::sleep(Duration::from_millis(1)).await;
    panic!("{SECRET} {nonce}")
}

/// Panics on a thread for functions that block.
#[mcp_tool(blocking)]
fn crash_blocking(nonce: String) -> String {
    let _running = Running::begin();
    panic!("{SECRET} {nonce}")
}

/// Reports progress and logs, so many times.
#[mcp_tool]
async fn steps(nonce: String, count: u32, cx: Context) -> String {
    let _running = Running::begin();
    for step in 1..=count {
        cx.progress(step, count);
        cx.info(&nonce);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    nonce
}

/// What a client is asked for.
#[mcp_type]
struct Word {
    word: String,
}

/// Remembers the nonce, and asks the client for a word with the nonce as the question.
#[mcp_tool]
async fn ask(nonce: String, cx: Context) -> Result<String, ToolError> {
    let _running = Running::begin();
    let begun = cx.once("begun", async { Ok::<_, ToolError>(nonce.clone()) }).await?;
    Ok(match cx.elicit::<Word>(&nonce).await? {
        Elicited::Accepted(Word { word }) => format!("{begun} {word}"),
        _ => format!("{begun} nothing"),
    })
}

/// Says that it has begun, and never ends.
#[mcp_tool]
async fn hang(nonce: String, cx: Context) -> String {
    let _running = Running::begin();
    cx.progress(1, 2);
    std::future::pending::<()>().await;
    nonce
}

/// Says that a resource has changed.
#[mcp_tool]
fn touch(nonce: String, uri: String, cx: Context) -> String {
    cx.resource_updated(&uri);
    nonce
}

/// Lets a tool come and go.
#[mcp_tool]
fn flip(nonce: String, server: ServerHandle) -> String {
    server.disable_tool("guest");
    server.enable_tool("guest");
    nonce
}

/// Comes and goes.
#[mcp_tool]
fn guest() {}

/// What the client called itself when its session began.
#[mcp_tool]
fn who(nonce: String, cx: Context) -> String {
    let name = cx.client_info().and_then(|info| info["name"].as_str().map(str::to_owned));
    format!("{nonce} {}", name.unwrap_or_default())
}

/// What is going on in the server.
#[mcp_tool]
fn gauges(gauges: State<Gauges>) -> String {
    gauges.text(RUNNING.load(Ordering::SeqCst))
}

/// Something that changes.
#[mcp_resource(uri = "thing://{name}")]
fn thing(name: String) -> String {
    name
}

/// What else is to be set stands in variables, which `mcp_endurance` names.
fn server() -> Result<Server, Box<dyn std::error::Error>> {
    let gauges = install().map_err(|error| error.to_string())?;
    let mut server = server!().state(gauges).metrics().max_body_size(BODY_LIMIT);
    if let Ok(seconds) = env::var(REST) {
        let rest = Duration::from_secs(seconds.parse()?);
        server = server.session_idle_timeout(rest).write_timeout(rest);
    }
    if let Some(folder) = env::var_os(SESSIONS) {
        server = server.session_store(FileSessions::open(Path::new(&folder))?);
    }
    if let Some(folder) = env::var_os(CERTIFICATE) {
        let folder = Path::new(&folder);
        server = server.tls(Tls::from_pem_files(folder.join(CHAIN), folder.join(KEY)));
    }
    Ok(server)
}

mcp_main!(server());
