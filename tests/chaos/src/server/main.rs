//! The server that is killed: `serve --http ADDR`.
//!
//! Every call brings a text that no other call has, a nonce, and is answered with it. What belongs to a session is what its
//! client called itself, which the client alone knows.

mod store;

use mcp_runtime::prelude::*;
use mcp_runtime::{Elicited, Server};
use std::path::Path;
use std::time::Duration;
use store::FileSessions;

/// Answers at once.
#[mcp_tool]
fn fast(nonce: String) -> String {
    nonce
}

/// Answers after a while, during which the server may be killed.
#[mcp_tool]
async fn slow(nonce: String) -> String {
    tokio::time::sleep(Duration::from_millis(20)).await;
    nonce
}

/// Reports progress and logs before it answers.
#[mcp_tool]
async fn steps(nonce: String, cx: Context) -> String {
    for step in 1..=5 {
        cx.progress(step, 5);
        cx.info(&nonce);
        tokio::time::sleep(Duration::from_millis(4)).await;
    }
    nonce
}

/// Answers with a text that takes many packets.
#[mcp_tool]
fn large(nonce: String) -> String {
    let mut text = nonce;
    text.extend(std::iter::repeat_n('x', 300_000));
    text
}

/// What the client called itself when its session began.
#[mcp_tool]
fn who(nonce: String, cx: Context) -> String {
    let name = cx.client_info().and_then(|info| info["name"].as_str().map(str::to_owned));
    format!("{nonce} {}", name.unwrap_or_default())
}

/// What a client is asked for.
#[mcp_type]
struct Word {
    word: String,
}

/// Remembers the nonce, and asks the client for a word with the nonce as the question.
#[mcp_tool]
async fn ask(nonce: String, cx: Context) -> Result<String, ToolError> {
    let begun = cx.once("begun", async { Ok::<_, ToolError>(nonce.clone()) }).await?;
    Ok(match cx.elicit::<Word>(&nonce).await? {
        Elicited::Accepted(Word { word }) => format!("{begun} {word}"),
        _ => format!("{begun} nothing"),
    })
}

/// Says that a resource has changed.
#[mcp_tool]
fn touch(nonce: String, uri: String, cx: Context) -> String {
    cx.resource_updated(&uri);
    nonce
}

/// Something that changes.
#[mcp_resource(uri = "thing://{name}")]
fn thing(name: String) -> String {
    name
}

/// With `CHAOS_SESSIONS`, a folder, the table of sessions is there, and survives the process.
fn server() -> std::io::Result<Server> {
    let server = server!();
    Ok(match std::env::var_os("CHAOS_SESSIONS") {
        Some(folder) => server.session_store(FileSessions::open(Path::new(&folder))?),
        None => server,
    })
}

mcp_main!(server());
