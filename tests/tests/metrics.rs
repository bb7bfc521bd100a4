//! What is counted and timed. A program of its own: its recorder is the whole process's.

#![allow(missing_docs)]

use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper::body::Bytes;
use mcp_runtime::prelude::*;
use mcp_runtime::{HttpService, Server};
use mcp_tests::META;
use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tower_service::Service as _;

/// Values by name and labels: the sum of a counter or gauge, how many values a histogram has.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<BTreeMap<String, f64>>>);

impl Kept {
    fn get(&self, series: &str) -> f64 {
        self.0.lock().unwrap().get(series).copied().unwrap_or_default()
    }

    /// The series of that beginning.
    fn series(&self, beginning: &str) -> Vec<(String, f64)> {
        let kept = self.0.lock().unwrap();
        kept.iter()
            .filter(|(name, _)| name.starts_with(beginning))
            .map(|(name, value)| (name.clone(), *value))
            .collect()
    }
}

struct Series(Kept, String);

impl Series {
    fn add(&self, value: f64) {
        *self.0.0.lock().unwrap().entry(self.1.clone()).or_default() += value;
    }
}

impl CounterFn for Series {
    fn increment(&self, value: u64) {
        self.add(value as f64);
    }
    fn absolute(&self, _value: u64) {
        panic!("nothing is set");
    }
}

impl GaugeFn for Series {
    fn increment(&self, value: f64) {
        self.add(value);
    }
    fn decrement(&self, value: f64) {
        self.add(-value);
    }
    fn set(&self, _value: f64) {
        panic!("nothing is set: servers of one process would overwrite each other");
    }
}

impl HistogramFn for Series {
    fn record(&self, value: f64) {
        assert!((0.0..60.0).contains(&value), "seconds: {value}");
        self.add(1.0);
    }
}

impl Kept {
    fn of(&self, key: &Key) -> Arc<Series> {
        let mut labels: Vec<_> = key.labels().map(|label| format!("{}={}", label.key(), label.value())).collect();
        labels.sort();
        Arc::new(Series(self.clone(), format!("{} {}", key.name(), labels.join(" "))))
    }
}

impl Recorder for Kept {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.of(key))
    }
    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.of(key))
    }
    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(self.of(key))
    }
}

/// Adds two numbers.
#[mcp_tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Fails.
#[mcp_tool]
fn fail() -> Result<(), &'static str> {
    Err("it failed")
}

/// Panics.
#[mcp_tool]
async fn panic() {
    tokio::task::yield_now().await;
    panic!("a text that is nobody's business");
}

/// Never ends.
#[mcp_tool]
async fn wait() {
    std::future::pending().await
}

/// Says how far it is, and never ends.
#[mcp_tool]
async fn talk(cx: Context) {
    cx.progress(1, 2);
    std::future::pending().await
}

/// Runs on a thread.
#[mcp_tool(blocking)]
fn on_a_thread() {}

/// A page.
#[mcp_resource(uri = "page://{number}")]
fn page(number: u32) -> String {
    format!("page {number}")
}

fn server() -> Server {
    mcp_runtime::server!()
        .tools(tools![add, fail, panic, wait, talk, on_a_thread])
        .resources(resources![page])
        .metrics()
}

fn message(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{META}{params}}}}}"#)
}

async fn requests(kept: &Kept) {
    let mut client = server().build().expect("it builds").connect();
    let asks = [
        message("tools/call", r#","name":"add","arguments":{"a":2,"b":3}"#),
        message("tools/call", r#","name":"add","arguments":{"a":2,"b":4}"#),
        message("tools/call", r#","name":"fail""#),
        message("tools/call", r#","name":"panic""#),
        message("tools/call", r#","name":"made_up_1""#),
        message("tools/call", r#","name":"made_up_2""#),
        message("made/up", ""),
        message("resources/read", r#","uri":"page://7""#),
    ];
    for ask in &asks {
        client.send(ask);
        client.receive().await.expect("an answer");
    }
    client.send(&message("tools/call", r#","name":"wait""#));
    assert_eq!(kept.get("mcp.server.requests.in_flight "), 1.0);
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    client.finish().await;
    assert_eq!(kept.get("mcp.server.requests.in_flight "), 0.0);
    let shared = "mcp.protocol.version=2026-07-28 network.transport=pipe";
    let series = |labels: &str| format!("mcp.server.operation.duration {labels}");
    let tool =
        |name: &str| format!("gen_ai.operation.name=execute_tool gen_ai.tool.name={name} mcp.method.name=tools/call");
    let code = |code: i32| format!("{shared} rpc.response.status_code={code}");
    let expected = [
        (series(&format!("error.type=-32601 mcp.method.name=_OTHER {}", code(-32601))), 1.0),
        (series(&format!("error.type=-32602 mcp.method.name=tools/call {}", code(-32602))), 2.0),
        (series(&format!("error.type=-32603 {} {}", tool("panic"), code(-32603))), 1.0),
        (series(&format!("error.type=cancelled {} {shared}", tool("wait"))), 1.0),
        (series(&format!("error.type=tool_error {} {shared}", tool("fail"))), 1.0),
        (series(&format!("{} {shared}", tool("add"))), 2.0),
        (
            series(
                "mcp.method.name=resources/read mcp.protocol.version=2026-07-28 mcp.resource.name=page \
                 network.transport=pipe",
            ),
            1.0,
        ),
    ];
    assert_eq!(kept.series("mcp.server.operation.duration"), expected);
}

async fn post(service: &HttpService, host: &str, method: &str, session: Option<&str>, message: &str) -> Option<String> {
    let mut request = Request::builder()
        .method(method)
        .header("host", host)
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    if let Some(session) = session {
        request = request.header("mcp-session-id", session);
    }
    let request = request.body(Full::new(Bytes::from(message.to_owned()))).expect("a valid request");
    let response = service.clone().call(request).await.expect("the service answers");
    let id = response.headers().get("mcp-session-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    response.into_body().collect().await.expect("the body is whole");
    id
}

async fn sessions(kept: &Kept) {
    let service = server().into_service().expect("it builds");
    let initialize =
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#;
    let session = post(&service, "localhost", "POST", None, initialize).await.expect("a session");
    post(&service, "localhost", "POST", None, initialize).await.expect("another session");
    assert_eq!(kept.get("mcp.server.sessions "), 2.0);
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    post(&service, "localhost", "POST", Some(&session), initialized).await;
    assert_eq!(kept.get("mcp.server.subscriptions "), 1.0);
    post(&service, "localhost", "DELETE", Some(&session), "").await;
    assert_eq!((kept.get("mcp.server.sessions "), kept.get("mcp.server.subscriptions ")), (1.0, 0.0));
    post(&service, "evil.example", "POST", None, initialize).await;
    assert_eq!(
        kept.series("mcp.server.http.refused"),
        [("mcp.server.http.refused http.response.status_code=403".to_owned(), 1.0)]
    );
    assert_eq!(kept.get("mcp.server.session.duration network.transport=tcp"), 1.0);
    drop(service);
    assert_eq!(kept.get("mcp.server.sessions "), 0.0);
    assert_eq!(kept.get("mcp.server.session.duration network.transport=tcp"), 2.0);
}

/// What waits: calls for their turn and for a thread, messages for their stream.
async fn waiting(kept: &Kept) {
    let client = server().concurrency_per_server(1).build().expect("it builds").connect();
    let call = |id: u32| message("tools/call", r#","name":"wait""#).replace(r#""id":1"#, &format!(r#""id":{id}"#));
    (1..=3).for_each(|id| client.send(&call(id)));
    assert_eq!(kept.get("mcp.server.calls.waiting "), 2.0);
    for id in 1..=3 {
        let cancelled =
            format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#);
        client.send(&cancelled);
    }
    client.finish().await;
    assert_eq!(kept.get("mcp.server.calls.waiting "), 0.0);

    let mut client = server().build().expect("it builds").connect();
    client.send(&message("tools/call", r#","name":"on_a_thread""#));
    client.receive().await.expect("an answer");
    assert_eq!(
        kept.series("mcp.server.calls.waiting_for_thread"),
        [("mcp.server.calls.waiting_for_thread ".to_owned(), 0.0)]
    );
}

/// A stream, which says something before its answer.
async fn streams(kept: &Kept) {
    let service = server().into_service().expect("it builds");
    let ask = message("tools/call", r#","name":"talk""#).replacen(r#"{"io."#, r#"{"progressToken":1,"io."#, 1);
    let request = Request::post("/")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "talk");
    let response = service.clone().call(request.body(Full::new(Bytes::from(ask))).expect("a valid request")).await;
    let mut body = response.expect("the service answers").into_body();
    assert_eq!(kept.get("mcp.server.http.streams "), 1.0);
    assert_eq!(kept.get("mcp.server.http.events.queued "), 1.0, "its progress waits for the client to read it");
    body.frame().await.expect("a piece").expect("no error");
    assert_eq!(kept.get("mcp.server.http.events.queued "), 0.0);
    drop(body);
    assert_eq!(kept.get("mcp.server.http.streams "), 0.0);
}

/// Texts that are no messages, with a secret that nobody may see.
async fn malformed(kept: &Kept) {
    let mut client = server().build().expect("it builds").connect();
    for text in ["{\"secret", r#"{"jsonrpc":"2.0","id":7,"method":{"secret":1}}"#, r#"[{"jsonrpc":"1.0"}"#] {
        client.send(text);
        client.receive().await.expect("an error");
    }
    let series = |code: i32| (format!("mcp.server.messages.malformed error.type={code} network.transport=pipe"), 2.0);
    let (parse, invalid) = (series(-32700), (series(-32600).0, 1.0));
    assert_eq!(kept.series("mcp.server.messages.malformed"), [invalid, parse]);
}

#[tokio::test]
async fn requests_and_sessions_are_counted() {
    let kept = Kept::default();
    metrics::set_global_recorder(kept.clone()).expect("the only recorder");
    requests(&kept).await;
    sessions(&kept).await;
    waiting(&kept).await;
    streams(&kept).await;
    malformed(&kept).await;
}
