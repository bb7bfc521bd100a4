//! The server that the integration tests talk to.

use mcp_runtime::prelude::*;
use mcp_runtime::{Audio, Server};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

/// What the panicking functions say; no client may ever see it.
pub const SECRET: &str = "the-secret-in-the-panic";

static HITS: AtomicU32 = AtomicU32::new(0);
static DROPPED: AtomicBool = AtomicBool::new(false);

/// A state that the fixture provides.
pub struct Motto(pub &'static str);

/// Echoes a text.
#[mcp_tool]
fn echo(text: String) -> String {
    text
}

/// Counts.
#[mcp_tool]
fn count(n: u32) -> String {
    format!("counted to {n}")
}

/// Takes any value.
#[mcp_tool]
fn any(value: Value) -> String {
    value.to_string()
}

/// Sleeps without blocking.
#[mcp_tool]
async fn nap(ms: u64) -> String {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    format!("slept {ms} ms")
}

/// Sleeps and blocks a thread.
#[mcp_tool(blocking)]
fn snooze(ms: u64) -> String {
    std::thread::sleep(Duration::from_millis(ms));
    format!("slept {ms} ms")
}

/// Panics at once.
#[mcp_tool]
fn boom() -> String {
    panic!("{SECRET}")
}

/// Panics after a while.
#[mcp_tool]
async fn boom_later() -> String {
    tokio::time::sleep(Duration::from_millis(1)).await;
    panic!("{SECRET}")
}

/// Panics on the blocking pool.
#[mcp_tool(blocking)]
fn boom_blocking() -> String {
    panic!("{SECRET}")
}

/// Has a side effect.
#[mcp_tool]
fn bump() -> u32 {
    HITS.fetch_add(1, Ordering::SeqCst) + 1
}

/// Tells how often the side effect happened.
#[mcp_tool]
fn hits() -> u32 {
    HITS.load(Ordering::SeqCst)
}

/// Reports progress `k` times.
#[mcp_tool]
async fn steps(k: u32, cx: Context) -> String {
    for step in 1..=k {
        cx.progress(step, k);
        tokio::task::yield_now().await;
    }
    format!("{k} steps")
}

/// Reports progress that does not always increase.
#[mcp_tool]
fn uneven(cx: Context) -> &'static str {
    for value in [1.0, 1.0, 0.5, f64::NAN, 2.0] {
        cx.progress(value, 2.0);
    }
    "done"
}

/// Logs at every level.
#[mcp_tool]
fn chatter(cx: Context) -> &'static str {
    for level in mcp_runtime::Level::ALL {
        cx.log(level, level.as_str());
    }
    "done"
}

struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        DROPPED.store(true, Ordering::SeqCst);
    }
}

/// Waits for ever; notes when it is dropped.
#[mcp_tool]
async fn forever(cx: Context) -> &'static str {
    let _guard = Guard;
    cx.progress(1, 2);
    std::future::pending::<()>().await;
    "never"
}

/// Has `forever` been dropped?
#[mcp_tool]
fn was_dropped() -> bool {
    DROPPED.load(Ordering::SeqCst)
}

/// Prints to standard output, itself and through a child process.
#[mcp_tool]
#[allow(clippy::print_stdout)]
fn noisy() -> String {
    println!("printed by the function");
    let printed = std::process::Command::new("echo").arg("printed by a child").status();
    format!("printed: {}", printed.is_ok_and(|status| status.success()))
}

/// A page of results.
#[mcp_tool]
fn page(q: String, #[arg(default = 10, min = 1, max = 100)] limit: u32, tag: Option<String>) -> String {
    format!("{q} {limit} {tag:?}")
}

/// A colour.
#[mcp_type]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// Like blood.
    Red,
    Green,
}

/// A filter.
#[mcp_type]
#[derive(Debug)]
pub struct Filter {
    /// Tags that must all be there.
    pub tags: Vec<String>,
    pub colour: Option<Colour>,
    #[arg(default = 3, max = 9)]
    pub depth: u8,
}

/// Optional arguments of several kinds.
#[mcp_tool]
fn options(a: Option<String>, b: Option<Colour>, c: Option<Filter>) -> String {
    format!("{a:?} {b:?} {}", c.is_some())
}

/// Takes one struct for all.
#[mcp_tool]
fn whole(Args(filter): Args<Filter>) -> String {
    format!("{:?} {:?} {}", filter.tags, filter.colour, filter.depth)
}

/// Maps of several kinds.
#[mcp_tool]
fn maps(by_name: HashMap<String, i32>, by_number: HashMap<u32, String>) -> String {
    format!("{} {}", by_name.len(), by_number.len())
}

/// Numbers of every width.
#[mcp_tool]
#[allow(clippy::too_many_arguments)]
fn numbers(a: u8, b: u16, c: u32, d: u64, e: usize, f: i128, g: f32, h: f64) -> String {
    format!("{a} {b} {c} {d} {e} {f} {g} {h}")
}

/// A tree.
#[mcp_type]
pub struct Tree {
    pub name: String,
    pub kids: Vec<Tree>,
}

/// The depth of a tree.
#[mcp_tool]
fn depth(tree: Tree) -> usize {
    fn depth_of(tree: &Tree) -> usize {
        1 + tree.kids.iter().map(depth_of).max().unwrap_or(0)
    }
    depth_of(&tree)
}

/// Ignores arguments that it does not know.
#[mcp_tool(ignore_unknown)]
fn lenient(text: String) -> String {
    text
}

/// Raw identifiers are plain names to clients.
#[mcp_tool]
fn r#match(r#type: String, #[arg(rename = "fileName")] file_name: String) -> String {
    format!("{type} {file_name}", r#type = r#type)
}

/// A list.
#[mcp_tool]
fn list_numbers(n: u32) -> Vec<u32> {
    (0..n).collect()
}

/// A measurement.
#[mcp_type]
pub struct Measurement {
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    pub error: Option<u32>,
    pub value: f64,
}

/// A structured result; `kind` says which: `good`, `nan`, or an error.
#[mcp_tool]
fn measure(kind: String) -> Result<Measurement, String> {
    match kind.as_str() {
        "good" => Ok(Measurement { notes: Vec::new(), error: None, value: 1.5 }),
        "nan" => Ok(Measurement { notes: Vec::new(), error: None, value: f64::NAN }),
        other => Err(format!("no such kind: {other}")),
    }
}

/// Content of several kinds.
#[mcp_tool]
fn media() -> Contents {
    Contents::new()
        .with("text")
        .with(Audio::wav([1, 2, 3]))
        .with(ResourceLink::new("notes://index", "index").title("All notes"))
        .with(Content::text("dated").last_modified("2026-01-01T00:00:00Z"))
}

/// Returns nothing.
#[mcp_tool]
fn nothing() {}

/// Tells the motto.
#[mcp_tool(title = "The motto", read_only, idempotent, destructive = false, open_world = false)]
fn motto(motto: State<Motto>, excited: Option<bool>) -> String {
    if excited == Some(true) { format!("{}!", motto.0) } else { motto.0.to_owned() }
}

/// Injected values by reference, in any order, under any name.
#[mcp_tool]
fn injected(weird: &Context, text: &str, more: Context) -> String {
    format!("{text} {} {}", weird.protocol_version(), more.wants_progress())
}

/// Repeats arguments in headers.
#[mcp_tool]
fn routed(#[arg(header = "Region")] region: String, #[arg(header = "Shard")] shard: Option<i64>) -> String {
    format!("{region} {shard:?}")
}

/// Says that a resource has changed.
#[mcp_tool]
fn touch(uri: String, cx: Context) {
    cx.resource_updated(&uri);
}

/// A seat in a train.
#[mcp_type]
#[derive(Debug)]
pub struct Seat {
    /// The row, from the front.
    #[arg(min = 1, max = 40)]
    pub row: u8,
    pub window: Option<bool>,
}

/// A yes or a no.
#[mcp_type]
#[derive(Debug)]
pub struct Sure {
    pub sure: bool,
}

/// Repeats a word.
#[mcp_prompt]
fn repeat(#[arg(min = 1, max = 9)] times: u32, #[arg(pattern = "^[a-z]+$")] word: String) -> String {
    word.repeat(times as usize)
}

/// One of nine items.
#[mcp_resource(uri = "item://{n}")]
fn item(#[arg(max = 9)] n: u32) -> String {
    format!("item {n}")
}

/// Sends money after a confirmation; the purpose is for people.
#[mcp_tool]
async fn send(amount: u64, purpose: Purpose, cx: Context) -> Result<String, ToolError> {
    let fee: u64 = cx.once("fee", async { Ok::<_, ToolError>(1) }).await?;
    let sure: Sure = cx.elicit("Are you sure?").key("sure").await?.accepted()?;
    Ok(format!("sent {amount} plus {fee} ({}): {}", purpose.text.unwrap_or_default(), sure.sure))
}

/// What money is for.
#[mcp_type]
pub struct Purpose {
    pub text: Option<String>,
}

static CHARGED: AtomicU32 = AtomicU32::new(0);

/// Charges while it asks.
#[mcp_tool]
async fn charge(cx: Context) -> Result<String, ToolError> {
    let charge = cx.once("charge", async {
        let charged = CHARGED.fetch_add(1, Ordering::SeqCst) + 1;
        tokio::time::sleep(Duration::from_millis(20)).await;
        Ok::<_, ToolError>(charged)
    });
    let (charged, sure) = tokio::join!(charge, cx.elicit::<Sure>("Are you sure?").key("sure"));
    let sure = sure?.accepted()?.sure;
    Ok(format!("charge {} of {}: {sure}", charged?, CHARGED.load(Ordering::SeqCst)))
}

/// Takes any document and waits a moment.
#[mcp_tool]
async fn file_away(doc: Value, cx: Context) -> String {
    tokio::task::yield_now().await;
    format!("{} {}", doc.is_null(), cx.wants_progress())
}

/// Goes on reporting after it has answered.
#[mcp_tool]
async fn babble(cx: Context) -> &'static str {
    tokio::spawn(async move {
        for step in 1..=50 {
            cx.progress(step, 50);
            cx.info("still here");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    tokio::time::sleep(Duration::from_millis(5)).await;
    "answered"
}

static HELD: AtomicU32 = AtomicU32::new(0);

/// Asks for a seat, holds it once, and asks for a confirmation.
#[mcp_tool]
async fn book(train: String, cx: Context) -> Result<String, ToolError> {
    let seat: Seat = cx.elicit(format!("Which seat in {train}?")).key("seat").await?.accepted()?;
    let held: u32 = cx.once("hold", async { Ok::<_, ToolError>(HELD.fetch_add(1, Ordering::SeqCst) + 1) }).await?;
    let sure: Sure = cx.elicit("Are you sure?").key("sure").await?.accepted()?;
    let now = HELD.load(Ordering::SeqCst);
    Ok(format!("row {} in {train}: {}, held once: {}", seat.row, sure.sure, held == now))
}

/// Asks three things at once.
#[mcp_tool]
async fn survey(cx: Context) -> Result<String, ToolError> {
    let (sure, poem, roots) = tokio::join!(
        cx.elicit::<Sure>("Are you sure?"),
        cx.sample(Sample::new(50).system("Be brief.").user("A poem, please.")),
        cx.roots(),
    );
    Ok(format!("{:?} {} {}", sure?, poem?.text(), roots?.len()))
}

/// Sends `tracing` events.
#[mcp_tool]
async fn traced() -> &'static str {
    tracing::debug!("too fine");
    tokio::task::yield_now().await;
    tracing::warn!(count = 3, "watch out");
    tracing::warn!(target: "database", "a statement that is nobody's business");
    "done"
}

/// Takes too long.
#[mcp_tool(timeout = "20ms")]
async fn too_slow() -> &'static str {
    let _guard = Guard;
    std::future::pending::<()>().await;
    "never"
}

/// Asks what the resource is for.
#[mcp_resource(uri = "ask://{topic}")]
async fn asking_resource(topic: String, cx: Context) -> Result<String, ToolError> {
    let sure: Sure = cx.elicit(format!("Sure about {topic}?")).await?.accepted()?;
    Ok(format!("{topic}: {}", sure.sure))
}

/// Asks what the prompt is for.
#[mcp_prompt]
async fn asking_prompt(cx: Context) -> Result<String, ToolError> {
    let sure: Sure = cx.elicit("Sure about the prompt?").await?.accepted()?;
    Ok(format!("sure: {}", sure.sure))
}

/// Needs a client that can sample.
#[mcp_tool(requires(sampling))]
fn needs_sampling() -> &'static str {
    "sampled"
}

/// The index of all notes.
#[mcp_resource(uri = "notes://index")]
fn index() -> &'static str {
    "the index"
}

/// One note.
#[mcp_resource(uri = "notes://{id}", mime_type = "text/markdown")]
fn note(#[arg(complete = note_ids)] id: u32) -> Option<String> {
    (id < 100).then(|| format!("note {id}"))
}

fn note_ids(typed: &str) -> Vec<String> {
    (0..150).map(|id| id.to_string()).filter(|id| id.starts_with(typed)).collect()
}

/// Every byte.
#[mcp_resource(uri = "bin://all")]
fn bytes() -> Vec<u8> {
    (0..=255).collect()
}

/// A search with parameters in the query.
#[mcp_resource(uri = "s://find{?q,limit}")]
fn find(q: Option<String>, #[arg(default = 5)] limit: u32) -> Json<Value> {
    Json(serde_json::json!({"q": q, "limit": limit}))
}

/// A path below something.
#[mcp_resource(uri = "tree://{+path}")]
fn tree_path(path: String) -> String {
    path
}

/// A raw identifier as a variable.
#[mcp_resource(uri = "kind://{type}")]
fn kind(r#type: String) -> String {
    r#type
}

/// A resource that panics.
#[mcp_resource(uri = "boom://now")]
fn boom_resource() -> String {
    panic!("{SECRET}")
}

/// Greets somebody several times.
#[mcp_prompt]
fn greet(
    /// Who is greeted.
    #[arg(complete = names)]
    name: String,
    /// How often.
    times: u32,
    mood: Option<Colour>,
) -> String {
    format!("{}{mood:?}", format!("Hello, {name}! ").repeat(times as usize))
}

async fn names(asked: Completion) -> Vec<String> {
    tokio::task::yield_now().await;
    let times = asked.arguments.get("times").cloned().unwrap_or_default();
    vec![format!("{}{times}", asked.value)]
}

/// A prompt that panics.
#[mcp_prompt]
fn boom_prompt() -> String {
    panic!("{SECRET}")
}

/// The fixture.
pub fn server() -> Server {
    mcp_runtime::server!().instructions("For tests.").state(Motto("less glue")).disable_tool("sleeper")
}
