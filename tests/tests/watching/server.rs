//! The server that is watched, and its clients.

use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper::body::Bytes;
use mcp_runtime::prelude::*;
use mcp_runtime::{HttpService, Principal, Server};
use mcp_tests::META;
use tower_service::Service as _;

/// Adds two numbers.
#[mcp_tool]
pub(crate) fn add(a: i64, b: i64) -> i64 {
    tracing::info!("adding");
    a + b
}

/// Adds in its own time.
#[mcp_tool]
pub(crate) async fn add_later(a: i64, b: i64) -> i64 {
    tokio::task::yield_now().await;
    tracing::info!("adding later");
    a + b
}

/// Adds on another thread.
#[mcp_tool(blocking)]
pub(crate) fn add_elsewhere(a: i64, b: i64) -> i64 {
    tracing::info!("adding elsewhere");
    a + b
}

/// Fails.
#[mcp_tool]
pub(crate) fn fail() -> Result<(), &'static str> {
    Err("it failed")
}

/// Panics.
#[mcp_tool]
pub(crate) fn panic() {
    panic!("a text that is nobody's business");
}

/// Panics later.
#[mcp_tool]
pub(crate) async fn panic_later() {
    tokio::task::yield_now().await;
    panic!("a text that is nobody's business");
}

/// Never ends.
#[mcp_tool]
pub(crate) async fn wait() {
    struct GivenUp;
    impl Drop for GivenUp {
        fn drop(&mut self) {
            tracing::info!("given up");
        }
    }
    let _given_up = GivenUp;
    std::future::pending().await
}

/// Greets.
#[mcp_prompt]
pub(crate) fn greet(name: String) -> String {
    format!("Greet {name}.")
}

/// A page.
#[mcp_resource(uri = "page://{number}")]
pub(crate) fn page(number: u32) -> String {
    format!("page {number}")
}

pub(crate) fn server() -> Server {
    mcp_runtime::server!()
        .tools(tools![add, add_later, add_elsewhere, fail, panic, panic_later, wait])
        .prompts(prompts![greet])
        .resources(resources![page])
}

/// A request of the stateless era.
pub(crate) fn stateless(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":"seven","method":"{method}","params":{{{META}{params}}}}}"#)
}

/// A call of a tool, without the envelope.
pub(crate) fn call(params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{{params}}}}}"#)
}

pub(crate) const INITIALIZE: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#;

/// A request that posts a message.
pub(crate) fn request(principal: Option<&Principal>, session: Option<&str>, message: &str) -> Request<Full<Bytes>> {
    let mut request = Request::post("/")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    if message.contains("2026-07-28") {
        let json: serde_json::Value = serde_json::from_str(message).expect("JSON");
        request = request.header("mcp-protocol-version", "2026-07-28");
        request = request.header("mcp-method", json["method"].as_str().unwrap_or_default());
        if let Some(name) = json["params"]["name"].as_str().or(json["params"]["uri"].as_str()) {
            request = request.header("mcp-name", name);
        }
    }
    if let Some(session) = session {
        request = request.header("mcp-session-id", session);
    }
    if let Some(principal) = principal {
        request = request.extension(principal.clone());
    }
    request.body(Full::new(Bytes::from(message.to_owned()))).expect("a valid request")
}

/// Posts a message; gives the session's id, if there is one, and the body.
pub(crate) async fn post(
    service: &HttpService,
    principal: Option<&Principal>,
    session: Option<&str>,
    message: &str,
) -> (Option<String>, String) {
    let request = request(principal, session, message);
    let response = service.clone().call(request).await.expect("the service answers");
    let id = response.headers().get("mcp-session-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    let body = response.into_body().collect().await.expect("the body is whole").to_bytes();
    (id, String::from_utf8(body.to_vec()).expect("UTF-8"))
}
