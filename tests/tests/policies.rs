//! Policies of a server's operator, as layers.

#![allow(missing_docs)]

use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper::body::Bytes;
use mcp_runtime::prelude::*;
use mcp_runtime::{
    CallRequest, CallResponse, CallService, Connection, FunctionKind, HttpService, Principal, Refused, Server,
};
use mcp_tests::{META, ask};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Notify;
use tower::limit::ConcurrencyLimitLayer;
use tower::timeout::{TimeoutLayer, error::Elapsed};
use tower::{BoxError, ServiceBuilder};
use tower_service::Service as _;

/// Pays an invoice.
#[mcp_tool]
fn pay(invoice: u32) -> String {
    format!("Invoice {invoice} is paid.")
}

/// Waits for ever.
#[mcp_tool]
async fn wait() {
    std::future::pending().await
}

/// Counts its starts, and never ends.
#[mcp_tool]
async fn begin(starts: State<Starts>) {
    starts.0.fetch_add(1, Ordering::SeqCst);
    let _end = Ended(Arc::clone(&starts.1));
    std::future::pending().await
}

/// How many calls have begun, and whether one was given up.
#[derive(Default)]
struct Starts(AtomicU32, Arc<Notify>);

/// Tells when it goes away.
struct Ended(Arc<Notify>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

/// Gets further with each attempt, and fails at first.
#[mcp_tool]
async fn climb(cx: Context, starts: State<Starts>) -> Result<&'static str, ToolError> {
    let attempt = starts.0.fetch_add(1, Ordering::SeqCst);
    for step in 1..=attempt + 2 {
        cx.progress(step, 10);
        tokio::task::yield_now().await;
    }
    if attempt < 2 { Err(ToolError::new("not yet")) } else { Ok("there") }
}

/// Gives what is nested so deep.
#[mcp_tool]
fn deep(levels: usize) -> Value {
    (0..levels).fold(json!("secret"), |inner, _| json!([inner]))
}

/// Tells two things.
#[mcp_tool]
fn measure() -> Vec<u32> {
    vec![1, 2]
}

/// Greets.
#[mcp_prompt]
fn greet(#[arg(complete = names)] name: String) -> String {
    format!("Greet {name}.")
}

fn names(_typed: &str) -> Vec<String> {
    vec!["Ada".to_owned()]
}

/// A page.
#[mcp_resource(uri = "page://{number}")]
fn page(number: u32) -> String {
    format!("page {number}")
}

fn server() -> Server {
    let tools = tools![pay, wait, begin, climb, deep, measure];
    mcp_runtime::server!().state(Starts::default()).tools(tools).prompts(prompts![greet]).resources(resources![page])
}

const PAY: &str = r#""name":"pay","arguments":{"invoice":7}"#;
const GREET: &str = r#""name":"greet","arguments":{"name":"Ada"}"#;
const PAGE: &str = r#""uri":"page://7""#;

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"))
}

#[test]
fn a_layer_that_refuses_is_heard_by_whoever_can_mend_it() {
    let server = server().around(|_, _| async { Err("We are closed.") }).build().expect("it builds");
    let tool = ask(&server, "tools/call", PAY);
    assert_eq!((text(&tool), &tool["result"]["isError"]), ("We are closed.", &json!(true)));
    for (method, params) in [("prompts/get", GREET), ("resources/read", PAGE)] {
        let error = ask(&server, method, params)["error"].clone();
        assert_eq!(error, json!({"code": -32603, "message": "We are closed."}), "{method}");
    }
    assert!(ask(&server, "tools/list", "")["result"]["tools"].is_array());
}

#[test]
fn a_layer_can_answer_with_an_error_for_the_client() {
    let refuse = |_, _| async { Err(ToolError::protocol(402, "Pay first.")) };
    let server = server().around(refuse).build().expect("it builds");
    for (method, params) in [("tools/call", PAY), ("prompts/get", GREET)] {
        assert_eq!(ask(&server, method, params)["error"], json!({"code": 402, "message": "Pay first."}), "{method}");
    }
}

#[test]
fn what_goes_wrong_in_a_layer_stays_inside() {
    async fn broken(_: CallRequest, _: CallService) -> Result<CallResponse, ToolError> {
        Err(io::Error::other("no room on /var/lib/private").into())
    }
    async fn panicking(_: CallRequest, _: CallService) -> Result<CallResponse, String> {
        panic!("/var/lib/private")
    }
    let filter = ServiceBuilder::new().filter(|_: CallRequest| -> Result<CallRequest, BoxError> {
        Err(io::Error::other("no room on /var/lib/private").into())
    });
    for server in [server().around(broken), server().around(panicking), server().layer(filter)] {
        let answer = ask(&server.build().expect("it builds"), "tools/call", PAY);
        assert!(answer["result"]["isError"] == true || answer["error"]["code"] == -32603, "{answer}");
        let shown = answer.to_string();
        assert!(shown.contains("its log has the cause under ") && !shown.contains("private"), "{answer}");
    }
}

/// What a client is told of a call, up to its answer.
async fn climbs(client: &mut Connection) -> (Vec<f64>, Value) {
    let meta = META.replace(r#""_meta":{"#, r#""_meta":{"progressToken":"t","#);
    client.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"climb",{meta}}}}}"#));
    let mut steps = Vec::new();
    loop {
        let message: Value = serde_json::from_str(&client.receive().await.expect("a message")).expect("JSON");
        match message["params"]["progress"].as_f64() {
            Some(step) => steps.push(step),
            None => return (steps, message),
        }
    }
}

#[tokio::test]
async fn the_attempts_of_a_layer_have_one_progress() {
    async fn again(request: CallRequest, next: CallService) -> Result<CallResponse, String> {
        for _ in 0..2 {
            let response = next.clone().run(request.clone()).await;
            if !response.is_error() {
                return Ok(response);
            }
        }
        Ok(next.run(request).await)
    }
    async fn at_once(request: CallRequest, next: CallService) -> Result<CallResponse, String> {
        let attempt = || next.clone().run(request.clone());
        let (_, _, third) = tokio::join!(attempt(), attempt(), attempt());
        Ok(third)
    }
    for server in [server().around(again), server().around(at_once)] {
        let mut client = server.build().expect("it builds").connect();
        let (steps, answer) = climbs(&mut client).await;
        assert_eq!((steps, text(&answer)), (vec![1.0, 2.0, 3.0, 4.0], "there"));
        let (steps, _) = climbs(&mut client).await;
        assert_eq!(steps[..4], [1.0, 2.0, 3.0, 4.0], "the next request begins anew");
    }
}

#[test]
fn a_layer_knows_what_is_asked_for() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let server = server().around(move |request, next| {
        log.lock().unwrap().push(json!({
            "method": request.method(),
            "function": request.function(),
            "is_tool": request.kind().map(|kind| kind == FunctionKind::Tool),
            "name": request.name(),
            "arguments": request.arguments(),
            "trace": request.trace_context().map(|trace| trace.traceparent().to_owned()),
            "baggage": request.meta().get("baggage"),
            "revision": request.protocol_version(),
        }));
        async move { Ok::<_, String>(next.run(request).await) }
    });
    let server = server.build().expect("it builds");
    let parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    let meta = META.replace(r#""_meta":{"#, &format!(r#""_meta":{{"traceparent":"{parent}","baggage":"a=b","#));
    let mut client = server.connect();
    for params in [PAY.to_owned(), PAY.replace("pay", "made up")] {
        client.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{meta},{params}}}}}"#));
        client.try_receive().expect("an answer at once");
    }
    ask(&server, "resources/read", PAGE);
    let reference = r#""ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"name","value":"A"}"#;
    ask(&server, "completion/complete", reference);
    let seen = seen.lock().unwrap();
    let known = json!({
        "method": "tools/call", "function": "pay", "is_tool": true, "name": "pay", "arguments": {"invoice": 7},
        "trace": parent, "baggage": "a=b", "revision": "2026-07-28",
    });
    let mut unknown = known.clone();
    (unknown["function"], unknown["is_tool"], unknown["name"]) = (Value::Null, Value::Null, json!("made up"));
    let of = |method: &str, function: &str, name: &str| {
        json!({
            "method": method, "function": function, "is_tool": false, "name": name, "arguments": null, "trace": null,
            "baggage": null, "revision": "2026-07-28",
        })
    };
    let expected =
        [known, unknown, of("resources/read", "page", "page://7"), of("completion/complete", "greet", "greet")];
    assert_eq!(*seen, expected);
}

#[test]
fn a_layer_can_change_results() {
    let server = server().around(|request, next| async move {
        let response = next.run(request).await;
        assert!(response.result().is_some() != response.is_error());
        Ok::<_, String>(response.map_result(|result| match result["structuredContent"].is_array() {
            true => result["isError"] = true.into(),
            false => result["content"][0]["text"] = "[withheld]".into(),
        }))
    });
    let server = server.build().expect("it builds");
    let answer = ask(&server, "tools/call", PAY);
    assert_eq!((text(&answer), &answer["id"]), ("[withheld]", &json!(1)));
    assert_eq!(ask(&server, "tools/call", r#""name":"measure""#)["result"]["isError"], true);
    assert_eq!(ask(&server, "tools/call", r#""name":"made up""#)["error"]["code"], -32602);
}

#[test]
fn the_last_layer_is_the_outermost() {
    let order = Arc::new(Mutex::new(Vec::new()));
    let noting = |name: &'static str| {
        let order = Arc::clone(&order);
        move |request: CallRequest, next: mcp_runtime::CallService| {
            let order = Arc::clone(&order);
            async move {
                order.lock().unwrap().push(format!("into {name}"));
                let response = next.run(request).await;
                order.lock().unwrap().push(format!("out of {name}"));
                Ok::<_, String>(response)
            }
        }
    };
    let server = server().around(noting("a")).layer(ConcurrencyLimitLayer::new(1)).around(noting("b"));
    ask(&server.build().expect("it builds"), "tools/call", PAY);
    assert_eq!(*order.lock().unwrap(), ["into b", "into a", "out of a", "out of b"]);
}

#[tokio::test(start_paused = true)]
async fn stock_layers_of_tower_fit() {
    let politely = |error: BoxError| match error.is::<Elapsed>() {
        true => Refused::new("This takes too long.").into(),
        false => error,
    };
    let stack = ServiceBuilder::new()
        .map_err(politely)
        .buffer(8)
        .load_shed()
        .concurrency_limit(2)
        .layer(TimeoutLayer::new(Duration::from_secs(5)));
    let server = server().layer(stack).build().expect("it builds");
    let mut client = server.connect();
    let call = |id: u32, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{{params},{META}}}}}"#)
    };
    for id in 1..=3 {
        client.send(&call(id, r#""name":"wait""#));
    }
    let mut answer =
        async || -> Value { serde_json::from_str(&client.receive().await.expect("an answer")).expect("JSON") };
    let shed = answer().await;
    assert_eq!(shed["id"], 3, "the third of two is shed at once: {shed}");
    assert!(text(&shed).starts_with("The server failed to do this"), "{shed}");
    for id in 1..=2 {
        let slow = answer().await;
        assert_eq!((&slow["id"], text(&slow)), (&json!(id), "This takes too long."));
    }
    client.send(&call(4, PAY));
    let answer: Value = serde_json::from_str(&client.receive().await.expect("an answer")).expect("JSON");
    assert_eq!(text(&answer), "Invoice 7 is paid.");
}

async fn post(service: &HttpService, principal: Option<&str>, params: &str) -> (u16, Value) {
    let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{params},{META}}}}}"#);
    let mut request = Request::post("/")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "pay")
        .header("x-tenant", "acme");
    if let Some(principal) = principal {
        request = request.extension(Principal::new(principal));
    }
    let request = request.body(Full::new(Bytes::from(message))).expect("a valid request");
    let response = service.clone().call(request).await.expect("the service answers");
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.expect("the body is whole").to_bytes();
    (status, serde_json::from_slice(&body).expect("JSON"))
}

#[tokio::test]
async fn each_tenant_has_a_quota() {
    let used = Arc::new(Mutex::new(HashMap::<String, u32>::new()));
    let service = server().around(move |request, next| {
        let used = Arc::clone(&used);
        async move {
            let tenant = request.principal().ok_or("Say who you are.")?.as_str().to_owned();
            let of_tenant = { *used.lock().unwrap().entry(tenant).and_modify(|used| *used += 1).or_insert(1) };
            match of_tenant {
                ..=2 => Ok(next.run(request).await),
                _ => Err("The quota of this month is used up."),
            }
        }
    });
    let service = service.into_service().expect("it builds");
    for expected in ["Invoice 7 is paid.", "Invoice 7 is paid.", "The quota of this month is used up."] {
        assert_eq!(text(&post(&service, Some("acme"), PAY).await.1), expected);
    }
    assert_eq!(text(&post(&service, Some("umbrella"), PAY).await.1), "Invoice 7 is paid.");
    assert_eq!(text(&post(&service, None, PAY).await.1), "Say who you are.");
}

#[tokio::test]
async fn a_layer_sees_headers_and_can_ask_for_scopes() {
    let service = server().around(|request, next| async move {
        assert_eq!((request.header("X-Tenant"), request.session()), (Some("acme"), None));
        // As clients read it at once, and when it comes later.
        if request.arguments()["invoice"] == 8 {
            tokio::task::yield_now().await;
        }
        match request.principal().is_some_and(|principal| principal.has_scope("pay")) {
            true => Ok::<_, String>(next.run(request).await),
            false => Ok(CallResponse::insufficient_scope(["pay"])),
        }
    });
    let service = service.into_service().expect("it builds");
    for params in [PAY.to_owned(), PAY.replace('7', "8")] {
        let (status, answer) = post(&service, Some("ada"), &params).await;
        let error = json!({"code": -32600, "message": "the token does not allow this"});
        assert_eq!((status, &answer["error"]), (403, &error), "{params}");
    }
}

#[test]
fn connections_have_numbers_of_their_own() {
    let server = server().around(|request, _| async move { Err(format!("{:?}", request.session())) });
    let server = server.build().expect("it builds");
    let number = |client: &mut mcp_runtime::Connection| {
        client.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{PAY},{META}}}}}"#));
        let answer: Value = serde_json::from_str(&client.try_receive().expect("an answer")).expect("JSON");
        text(&answer).to_owned()
    };
    let (mut first, mut second) = (server.connect(), server.connect());
    let (one, other) = (number(&mut first), number(&mut second));
    assert!(one.starts_with("Some(") && one != other && one == number(&mut first), "{one} {other}");
}

#[test]
fn no_function_runs_with_arguments_that_a_policy_could_not_read() {
    let limited = |request: CallRequest, next: mcp_runtime::CallService| async move {
        match request.arguments()["invoice"].as_u64() > Some(1000) {
            true => Err("A person has to pay this invoice."),
            false => Ok(next.run(request).await),
        }
    };
    let server = server().around(limited).build().expect("it builds");
    let large = ask(&server, "tools/call", r#""name":"pay","arguments":{"invoice":5000}"#);
    assert_eq!(text(&large), "A person has to pay this invoice.");
    let deep = format!("{}{}", "[".repeat(123), "]".repeat(123));
    for odd in ["1e999", r#""\ud800""#, &deep] {
        let arguments = format!(r#""name":"pay","arguments":{{"invoice":5000,"x":{odd}}}"#);
        let answer = ask(&server, "tools/call", &arguments);
        assert!(!answer.to_string().contains("is paid"), "{odd}: {answer}");
        assert!(answer["error"]["code"] == -32602 || answer["result"]["isError"] == true, "{odd}: {answer}");
    }
}

#[test]
fn a_result_that_cannot_be_read_does_not_go_out_unchanged() {
    let redacting = |request: CallRequest, next: mcp_runtime::CallService| async move {
        Ok::<_, String>(next.run(request).await.map_result(|result| *result = json!({"content": []})))
    };
    let answer = ask(
        &server().around(redacting).build().expect("it builds"),
        "tools/call",
        r#""name":"deep","arguments":{"levels":200}"#,
    );
    assert!(!answer.to_string().contains("secret"), "{answer}");
}

#[tokio::test]
async fn what_finds_no_place_does_not_begin_behind_a_layer() {
    let passing =
        |request: CallRequest, next: mcp_runtime::CallService| async move { Ok::<_, String>(next.run(request).await) };
    let starts = Arc::new(Starts::default());
    let tools = mcp_runtime::server!().tools(tools![begin]).shared_state(Arc::clone(&starts));
    let server = tools.around(passing).max_calls(1).build().expect("it builds");
    let mut client = server.connect();
    for id in 1..=3 {
        client.send(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"begin",{META}}}}}"#
        ));
    }
    for id in 2..=3 {
        let answer: Value = serde_json::from_str(&client.receive().await.expect("an answer")).expect("JSON");
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(id), &json!(-32603)));
    }
    assert_eq!(starts.0.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_request_ends_in_whatever_task_a_layer_has_put_it() {
    let elsewhere = |request: CallRequest, next: mcp_runtime::CallService| async move {
        tokio::spawn(next.run(request)).await.map_err(|error| error.to_string())
    };
    let starts = Arc::new(Starts::default());
    let tools = mcp_runtime::server!().tools(tools![begin]).shared_state(Arc::clone(&starts));
    let server = tools.around(elsewhere).build().expect("it builds");
    let client = server.connect();
    client.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"begin",{META}}}}}"#));
    while starts.0.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    starts.1.notified().await;
    client.finish().await;
}

#[test]
fn the_response_of_another_request_is_nobody_s_answer() {
    let kept = Arc::new(Mutex::new(None::<CallRequest>));
    let swapping = move |request: CallRequest, next: mcp_runtime::CallService| {
        let earlier = kept.lock().unwrap().replace(request);
        async move {
            match earlier {
                Some(earlier) => Ok(next.run(earlier).await),
                None => Err("Come again."),
            }
        }
    };
    let server = server().around(swapping).build().expect("it builds");
    assert_eq!(text(&ask(&server, "tools/call", PAY)), "Come again.");
    let answer = ask(&server, "tools/call", r#""name":"measure""#);
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32603)), "{answer}");
}

#[test]
fn a_completion_is_named_by_what_its_reference_is_about() {
    let naming = |request: CallRequest, _| async move { Err::<CallResponse, _>(format!("{:?}", request.name())) };
    let server = server().around(naming).build().expect("it builds");
    let both = r#""ref":{"type":"ref/resource","name":"public","uri":"page://{number}"},"argument":{"name":"number","value":""}"#;
    let answer = ask(&server, "completion/complete", both);
    assert_eq!(answer["error"]["message"], r#"Some("page://{number}")"#, "{answer}");
}
