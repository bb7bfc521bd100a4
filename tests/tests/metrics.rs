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

/// A page.
#[mcp_resource(uri = "page://{number}")]
fn page(number: u32) -> String {
    format!("page {number}")
}

fn server() -> Server {
    mcp_runtime::server!().tools(tools![add, fail, panic, wait]).resources(resources![page]).metrics()
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
    let expected = [
        (series(&format!("error.type=-32601 mcp.method.name=_OTHER {shared}")), 1.0),
        (series(&format!("error.type=-32602 mcp.method.name=tools/call {shared}")), 2.0),
        (series(&format!("error.type=-32603 gen_ai.tool.name=panic mcp.method.name=tools/call {shared}")), 1.0),
        (series(&format!("error.type=cancelled gen_ai.tool.name=wait mcp.method.name=tools/call {shared}")), 1.0),
        (series(&format!("error.type=tool_error gen_ai.tool.name=fail mcp.method.name=tools/call {shared}")), 1.0),
        (series(&format!("gen_ai.tool.name=add mcp.method.name=tools/call {shared}")), 2.0),
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
    drop(service);
    assert_eq!(kept.get("mcp.server.sessions "), 0.0);
}

#[tokio::test]
async fn requests_and_sessions_are_counted() {
    let kept = Kept::default();
    metrics::set_global_recorder(kept.clone()).expect("the only recorder");
    requests(&kept).await;
    sessions(&kept).await;
}
