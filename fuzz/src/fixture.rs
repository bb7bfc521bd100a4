//! A server with a function for every way through the runtime. All of them give the same for the same arguments, and none
//! waits for more than time, which passes by itself.

use mcp_runtime::prelude::*;
use mcp_runtime::{Audio, BuiltServer, Icon, Level, Progress, Role, Server, StateKey};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Duration;

/// The server, built once.
pub(crate) fn server() -> &'static BuiltServer {
    static SERVER: OnceLock<BuiltServer> = OnceLock::new();
    SERVER.get_or_init(|| unbuilt().build().expect("the fixture builds"))
}

/// The server, to be set up further. It shows two items a page.
pub(crate) fn unbuilt() -> Server {
    Server::new("fuzzed", "1.0.0")
        .title("Fuzzed")
        .description("A server for fuzzing.")
        .website("https://example.com")
        .icon(Icon::new("https://example.com/icon.png"))
        .instructions("Try everything.")
        .page_size(2)
        .max_sessions(50)
        .allowed_origins(["http://localhost:3000", "https://app.example.com", "https://*.example.org:8443"])
        .state_keys([StateKey::new([7; 32])])
        .rounds(Duration::from_secs(1_000_000_000), 32, 64 * 1024)
        .tools(tools![
            add, echo, blocks, measure, numbers, nap, steps, chatter, route, survey, confirm, pick, any, touch, refuse
        ])
        .resources(resources![index, note, file, search, listed, table])
        .prompts(prompts![review, repeat])
}

/// Adds two numbers.
#[mcp_tool(read_only, title = "Sum")]
fn add(a: i64, b: i64) -> Result<i64, String> {
    a.checked_add(b).ok_or_else(|| "the sum is out of range".to_owned())
}

/// Echoes a text.
#[mcp_tool]
fn echo(text: String) -> String {
    text
}

/// Content of every kind.
#[mcp_tool]
fn blocks(text: String) -> Contents {
    Contents::new()
        .with(text.as_str())
        .with(Image::png([1, 2, 3]))
        .with(Audio::wav([4, 5]))
        .with(ResourceLink::new("note://1", "note").title("A note").icon(Icon::new("https://example.com/i.png")))
        .with(Content::resource(ResourceContents::text(text).with_uri("note://1")))
        .with(Content::text("dated").last_modified("2026-01-01T00:00:00Z").audience([Role::User]).priority(0.5))
}

/// A colour.
#[mcp_type]
#[derive(Debug, Clone)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Red,
    Green,
}

/// What is measured.
#[mcp_type]
#[derive(Debug, Clone)]
struct Measured {
    /// What it is called.
    #[arg(max_length = 20, pattern = "^[a-z]*$")]
    name: String,
    #[arg(min = 0, max = 9, default = 3)]
    depth: u8,
    colour: Option<Colour>,
    /// More of them.
    inside: Vec<Measured>,
}

/// Takes a tree and gives it back.
#[mcp_tool]
fn measure(tree: Measured, scale: Option<f64>, #[arg(default = true)] whole: bool) -> Result<Measured, ToolError> {
    match whole && scale.is_none_or(f64::is_finite) {
        true => Ok(tree),
        false => Err(ToolError::new("nothing to measure")),
    }
}

/// Counts: the schema of its result is no object.
#[mcp_tool]
fn numbers(n: u8) -> Vec<u8> {
    (0..n % 16).collect()
}

/// Waits.
#[mcp_tool]
async fn nap(ms: u64) -> String {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    format!("slept {ms} ms")
}

/// Reports progress on its way.
#[mcp_tool]
async fn steps(k: u8, cx: Context) -> String {
    for step in 0..k % 8 {
        cx.report(Progress::new(step).total(8).message("on the way"));
        tokio::task::yield_now().await;
    }
    "arrived".to_owned()
}

/// Logs at every level.
#[mcp_tool]
fn chatter(cx: Context) -> &'static str {
    Level::ALL.into_iter().for_each(|level| cx.log(level, level.as_str()));
    "said"
}

/// Repeats arguments in headers.
#[mcp_tool]
fn route(
    #[arg(header = "Region")] region: String,
    #[arg(header = "Shard")] shard: Option<i64>,
    #[arg(header = "Dry")] dry: Option<bool>,
) -> String {
    serde_json::json!([region, shard, dry]).to_string()
}

/// Yes or no.
#[mcp_type]
struct Sure {
    sure: bool,
}

/// Asks three things at once.
#[mcp_tool]
async fn survey(cx: Context) -> Result<String, ToolError> {
    let (sure, poem, roots) = tokio::join!(
        cx.elicit::<Sure>("Are you sure?"),
        cx.sample(Sample::new(50).user("A poem, please.")),
        cx.roots()
    );
    Ok(format!("{} {} {}", sure?.accepted()?.sure, poem?.text(), roots?.len()))
}

/// Asks one thing after the other, with a step in between.
#[mcp_tool]
async fn confirm(what: String, cx: Context) -> Result<String, ToolError> {
    let first: Sure = cx.elicit(format!("{what}?")).key("first").await?.accepted()?;
    let price: usize = cx.once("price", async { Ok::<_, ToolError>(what.len()) }).await?;
    let second: Sure = cx.elicit(format!("{what} for {price}?")).key("second").await?.accepted()?;
    Ok(format!("{what} {} {price} {}", first.sure, second.sure))
}

/// Picks by several types.
#[mcp_tool]
fn pick(
    a: Option<Colour>,
    b: Option<BTreeMap<u8, i32>>,
    #[arg(min_items = 1, max_items = 3)] c: Vec<u64>,
    d: Option<char>,
    e: Option<(bool, f32)>,
) -> String {
    format!("{a:?} {b:?} {c:?} {d:?} {e:?}")
}

/// Takes anything, and more.
#[mcp_tool(ignore_unknown)]
fn any(value: Value) -> String {
    value.to_string()
}

/// Says that a resource has changed.
#[mcp_tool]
fn touch(uri: String, cx: Context) {
    cx.resource_updated(&uri);
}

/// Fails.
#[mcp_tool]
fn refuse(why: String) -> Result<String, ToolError> {
    Err(ToolError::new(why))
}

/// All notes.
#[mcp_resource(
    uri = "note://index",
    title = "Index",
    annotations(priority = 0.5, last_modified = "2026-01-01T00:00:00Z")
)]
fn index() -> String {
    "all notes".to_owned()
}

/// One note.
#[mcp_resource(uri = "note://{id}")]
fn note(id: u32) -> Option<String> {
    (id % 2 == 1).then(|| format!("note {id}"))
}

/// A file.
#[mcp_resource(uri = "file:///{+path}", mime_type = "application/octet-stream")]
fn file(path: String) -> Vec<u8> {
    path.into_bytes()
}

/// A search.
#[mcp_resource(uri = "search://all{/kind*}{?q,limit}")]
fn search(kind: String, q: Option<String>, limit: Option<u8>) -> Json<(String, Option<String>, Option<u8>)> {
    Json((kind, q, limit))
}

/// One of those that are listed.
#[mcp_resource(uri = "listed://{n}", list = instances)]
async fn listed(#[arg(max = 99)] n: u8) -> String {
    tokio::task::yield_now().await;
    n.to_string()
}

/// Nine instances, some of one name.
fn instances() -> Vec<ResourceLink> {
    (1..=9).map(|n| ResourceLink::new(format!("listed://{n}"), format!("number {}", n % 4))).collect()
}

/// A table of two parts.
#[mcp_resource(uri = "table://")]
fn table() -> Vec<ResourceContents> {
    vec![ResourceContents::text("a"), ResourceContents::blob([1, 2])]
}

/// Asks for a review.
#[mcp_prompt(title = "Review")]
fn review(code: String, #[arg(complete = tones)] tone: Option<String>) -> Messages {
    Messages::new()
        .description("A review")
        .user(format!("Review {code} {}", tone.unwrap_or_default()))
        .assistant(Content::text("Which language?"))
        .user(Image::png([1]))
}

fn tones(typed: &str) -> Vec<String> {
    ["kind", "keen", "strict"].into_iter().filter(|tone| tone.starts_with(typed)).map(str::to_owned).collect()
}

/// Repeats a word.
#[mcp_prompt]
fn repeat(#[arg(min = 1, max = 9)] times: u32, #[arg(pattern = "^[a-z]+$")] word: String) -> String {
    word.repeat(times as usize)
}
