//! Limits of what each principal may call.

#![allow(missing_docs)]

use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper::body::Bytes;
use mcp_runtime::HttpService;
use mcp_runtime::Principal;
use mcp_runtime::prelude::*;
use mcp_tests::META;
use serde_json::{Value, json};
use std::time::Duration;
use tower_service::Service as _;

/// Adds two numbers.
#[mcp_tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Greets.
#[mcp_prompt]
fn greet() -> &'static str {
    "Say hello."
}

async fn ask(service: &HttpService, principal: Option<&str>, method: &str, params: &str) -> Value {
    let name = params.split('"').nth(3).unwrap_or_default();
    let mut request = Request::post("/")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if !name.is_empty() {
        request = request.header("mcp-name", name);
    }
    if let Some(principal) = principal {
        request = request.extension(Principal::new(principal));
    }
    let comma = if params.is_empty() { "" } else { "," };
    let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}{comma}{META}}}}}"#);
    let request = request.body(Full::new(Bytes::from(message))).expect("a valid request");
    let response = service.clone().call(request).await.expect("the service answers");
    let body = response.into_body().collect().await.expect("the body is whole").to_bytes();
    serde_json::from_slice(&body).expect("JSON")
}

const ADD: &str = r#""name":"add","arguments":{"a":2,"b":3}"#;
const GREET: &str = r#""name":"greet""#;

#[tokio::test(start_paused = true)]
async fn each_principal_has_a_rate_of_its_own_over_all_functions() {
    let server = mcp_runtime::server!().tools(tools![add]).prompts(prompts![greet]);
    let server = server.rate_limit_per_principal(2, Duration::from_secs(10));
    let service = server.into_service().expect("it builds");
    let (ada, bob) = (Some("ada"), Some("bob"));
    assert_eq!(ask(&service, ada, "tools/call", ADD).await["result"]["content"][0]["text"], "5");
    assert!(ask(&service, ada, "prompts/get", GREET).await["result"]["messages"].is_array());
    let tool = ask(&service, ada, "tools/call", ADD).await;
    assert_eq!(tool["result"]["isError"], true);
    assert_eq!(tool["result"]["content"][0]["text"], "Called too often. Try again in 5 s.");
    let prompt = ask(&service, ada, "prompts/get", GREET).await;
    let expected = json!({
        "code": -32603, "message": "Called too often. Try again in 5 s.", "data": {"retryAfterMs": 5000},
    });
    assert_eq!(prompt["error"], expected);
    assert!(ask(&service, ada, "tools/list", "").await["result"]["tools"].is_array(), "lists are not calls");
    for other in [bob, None] {
        for _ in 0..2 {
            assert_eq!(ask(&service, other, "tools/call", ADD).await["result"]["content"][0]["text"], "5");
        }
        assert_eq!(ask(&service, other, "tools/call", ADD).await["result"]["isError"], true);
    }
    tokio::time::advance(Duration::from_secs(5)).await;
    assert_eq!(ask(&service, ada, "tools/call", ADD).await["result"]["content"][0]["text"], "5");
    assert_eq!(ask(&service, ada, "tools/call", ADD).await["result"]["isError"], true);
}
