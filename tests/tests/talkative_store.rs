//! A store of events that logs, under a function whose events go to its client: neither may wait for the other. A program of
//! its own, because the log is the whole process's.

#![allow(missing_docs)]

use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper::body::Bytes;
use mcp_runtime::prelude::*;
use mcp_runtime::{ClientLogs, EventStore, HttpService, KeptEvent, MemoryEvents, StoreFuture, StoredEvents};
use std::sync::mpsc::channel;
use std::time::Duration;
use tower_service::Service as _;
use tracing_subscriber::prelude::*;

/// Keeps events, and tells so.
struct Talkative(MemoryEvents);

impl EventStore for Talkative {
    fn append(&self, session: &str, event: KeptEvent<'_>) {
        tracing::info!("an event is kept");
        self.0.append(session, event);
    }

    fn after<'a>(&'a self, session: &'a str, stream: u64, position: u64) -> StoreFuture<'a, Option<StoredEvents>> {
        self.0.after(session, stream, position)
    }

    fn end(&self, session: &str) {
        self.0.end(session);
    }
}

/// Logs in both ways.
#[mcp_tool]
fn chat(cx: Context) -> &'static str {
    tracing::info!("by an event");
    cx.info("by the context");
    "done"
}

/// Posts a message; gives the session's id, if there is one, and the body.
async fn post(service: &HttpService, session: &str, message: &str) -> (String, String) {
    let request = Request::post("/")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    let request = if session.is_empty() { request } else { request.header("mcp-session-id", session) };
    let request = request.body(Full::new(Bytes::from(message.to_owned()))).expect("a valid request");
    let response = service.clone().call(request).await.expect("the service answers");
    let id = response.headers().get("mcp-session-id").and_then(|id| id.to_str().ok()).unwrap_or(session).to_owned();
    let body = response.into_body().collect().await.expect("the body is whole").to_bytes();
    (id, String::from_utf8(body.to_vec()).expect("UTF-8"))
}

async fn talk() -> String {
    let server = mcp_runtime::server!().tools(tools![chat]).event_store(Talkative(MemoryEvents::default()));
    let service = server.into_service().expect("it builds");
    let (session, _) = post(
        &service,
        "",
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#,
    )
    .await;
    let level = r#"{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"debug"}}"#;
    post(&service, &session, level).await;
    post(&service, &session, r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"chat"}}"#).await.1
}

#[test]
fn a_store_that_logs_holds_nobody_up() {
    tracing_subscriber::registry().with(ClientLogs::new()).init();
    let (to_test, told) = channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let _ = to_test.send(runtime.block_on(talk()));
    });
    let body = told.recv_timeout(Duration::from_secs(30)).expect("the call ends");
    for expected in ["by an event", "by the context", r#""text":"done""#] {
        assert!(body.contains(expected), "{expected} in {body}");
    }
    assert!(!body.contains("an event is kept"), "what a store logs is no client's business: {body}");
}
