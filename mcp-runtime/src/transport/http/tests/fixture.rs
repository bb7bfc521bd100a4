//! A server with functions whose course a test controls.

use crate::Server;
use crate::prelude::*;
use crate::transport::http::HttpService;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;

/// What the panicking functions say; no client may ever see it.
pub(super) const SECRET: &str = "the-secret-in-the-panic";

/// What a test knows of its server's functions, and how it holds them up.
#[derive(Clone)]
pub(super) struct Stage(Arc<Inner>);

struct Inner {
    hits: AtomicU32,
    started: Semaphore,
    go: Semaphore,
    ended: Semaphore,
    finished: AtomicBool,
}

impl Stage {
    pub(super) fn new() -> Self {
        Stage(Arc::new(Inner {
            hits: AtomicU32::new(0),
            started: Semaphore::new(0),
            go: Semaphore::new(0),
            ended: Semaphore::new(0),
            finished: AtomicBool::new(false),
        }))
    }

    /// How often `bump` has run.
    pub(super) fn hits(&self) -> u32 {
        self.0.hits.load(Ordering::SeqCst)
    }

    /// Waits until a `hold` has begun.
    pub(super) async fn started(&self) {
        within(self.0.started.acquire()).await.expect("open").forget();
    }

    /// A function has begun.
    pub(super) fn entered(&self) {
        self.0.started.add_permits(1);
    }

    /// Waits until the test lets a function go on.
    pub(super) async fn leave(&self) {
        within(self.0.go.acquire()).await.expect("open").forget();
    }

    /// Lets one `hold` go on.
    pub(super) fn go(&self) {
        self.0.go.add_permits(1);
    }

    /// Waits until a `hold` has ended; true if it came to its end instead of being dropped.
    pub(super) async fn ended(&self) -> bool {
        within(self.0.ended.acquire()).await.expect("open").forget();
        self.0.finished.load(Ordering::SeqCst)
    }
}

/// Waits, but not for ever.
pub(super) async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("it happens")
}

/// The fixture server.
pub(super) fn server(stage: &Stage) -> Server {
    super::log::install();
    Server::new("fixture", "1.0.0")
        .tools(tools![echo, later_echo, bump, nap, hold, pace, steps, pretty, boom, confirm, boom_later, touch, count])
        .resources(resources![index])
        .state(stage.clone())
}

/// The fixture server as a service, with the usual settings.
pub(super) fn service() -> HttpService {
    server(&Stage::new()).into_service().expect("the fixture builds")
}

/// A function of the fixture.
#[mcp_tool]
pub(super) fn echo(text: String) -> String {
    text
}

/// A function of the fixture.
#[mcp_tool]
async fn later_echo(text: String) -> String {
    tokio::task::yield_now().await;
    text
}

/// A function of the fixture.
#[mcp_tool]
fn count(n: u32) -> String {
    format!("counted to {n}")
}

/// A function of the fixture.
#[mcp_tool]
fn bump(stage: State<Stage>) -> u32 {
    stage.0.hits.fetch_add(1, Ordering::SeqCst) + 1
}

/// A function of the fixture.
#[mcp_tool]
async fn nap(ms: u64) -> String {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    "slept".to_owned()
}

/// Reports one step, then waits until the test lets it go on.
#[mcp_tool]
async fn hold(cx: Context, stage: State<Stage>) -> String {
    struct End(Stage);
    impl Drop for End {
        fn drop(&mut self) {
            self.0.0.ended.add_permits(1);
        }
    }
    let end = End(Stage::clone(&stage));
    cx.progress(1, 2);
    end.0.0.started.add_permits(1);
    end.0.0.go.acquire().await.expect("open").forget();
    end.0.0.finished.store(true, Ordering::SeqCst);
    "held".to_owned()
}

/// Reports each step when the test lets it.
#[mcp_tool]
async fn pace(k: u32, cx: Context, stage: State<Stage>) -> String {
    for step in 1..=k {
        stage.0.started.add_permits(1);
        stage.0.go.acquire().await.expect("open").forget();
        cx.progress(step, k);
    }
    stage.0.go.acquire().await.expect("open").forget();
    "paced".to_owned()
}

/// A function of the fixture.
#[mcp_tool]
fn steps(k: u32, cx: Context) -> String {
    (1..=k).for_each(|step| cx.progress(step, k));
    "walked".to_owned()
}

/// JSON with a line break between its tokens.
pub(super) struct Pretty;

impl Serialize for Pretty {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string("{\"a\":\r\n1}".to_owned()).expect("JSON").serialize(serializer)
    }
}

impl JsonSchema for Pretty {
    fn schema_name() -> Cow<'static, str> {
        "Pretty".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object"})
    }
}

/// Answers with JSON of several lines, and logs the same if told to.
#[mcp_tool]
fn pretty(log: bool, cx: Context) -> Pretty {
    if log {
        cx.info(Pretty);
    }
    Pretty
}

/// A function of the fixture.
#[mcp_tool]
async fn confirm(cx: Context) -> Result<String, ToolError> {
    let price: u32 = cx.once("price", async { Ok::<_, ToolError>(100) }).await?;
    cx.elicit_with("Sure?", serde_json::json!({"properties": {"sure": {"type": "boolean"}}})).await?.accepted()?;
    Ok(format!("paid {price}"))
}

/// Panics.
#[mcp_tool]
fn boom() -> String {
    panic!("{SECRET}")
}

/// A function of the fixture.
#[mcp_tool]
async fn boom_later() -> String {
    tokio::task::yield_now().await;
    panic!("{SECRET}")
}

/// A function of the fixture.
#[mcp_tool]
fn touch(cx: Context) -> String {
    cx.resource_updated("notes://index");
    "touched".to_owned()
}

/// The index.
#[mcp_resource(uri = "notes://index")]
fn index() -> String {
    "the index".to_owned()
}

/// A second function of the same name.
pub(super) mod twice {
    use crate::prelude::*;

    /// A function of the fixture.
    #[mcp_tool]
    pub(in super::super) fn echo() -> String {
        String::new()
    }
}
