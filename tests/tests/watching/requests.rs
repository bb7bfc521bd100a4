//! The spans of requests.

use crate::server::{INITIALIZE, call, post, request, server, stateless};
use crate::spans::{Fields, Noted};
use crate::watch;
use mcp_runtime::{ForwardingHeader, PeerAddress};
use std::sync::{Arc, Mutex};
use tower_service::Service as _;

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

fn fields(pairs: &[(&str, &str)]) -> Fields {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// What every span of these requests over a connection says.
fn of_connection(more: &[(&str, &str)]) -> Fields {
    let mut all = fields(&[
        ("jsonrpc.request.id", "seven"),
        ("mcp.protocol.version", "2026-07-28"),
        ("network.transport", "pipe"),
        ("otel.kind", "server"),
    ]);
    all.extend(fields(more));
    all
}

/// The span of a call of a tool.
fn of_tool(name: &str, more: &[(&str, &str)]) -> Fields {
    let mut all = of_connection(more);
    let span = format!("tools/call {name}");
    all.extend(fields(&[
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", name),
        ("mcp.method.name", "tools/call"),
        ("otel.name", &span),
    ]));
    all
}

/// Asks over a connection; gives the answer.
async fn ask(message: &str) -> String {
    let mut client = server().build().expect("it builds").connect();
    client.send(message);
    client.receive().await.expect("an answer")
}

fn call_of(name: &str, arguments: &str) -> String {
    stateless("tools/call", &format!(r#","name":"{name}","arguments":{{{arguments}}}"#))
}

#[tokio::test]
async fn a_function_runs_inside_of_the_span_of_its_call() {
    let (seen, _turn) = watch().await;
    for (name, event) in [("add", "adding"), ("add_later", "adding later"), ("add_elsewhere", "adding elsewhere")] {
        let answer = ask(&call_of(name, r#""a":2,"b":3"#)).await;
        assert!(answer.contains(r#""text":"5""#), "{answer}");
        let within = Noted::Event(
            "watching::server".to_owned(),
            Some(format!("tools/call {name}")),
            fields(&[("message", event)]),
        );
        assert_eq!(seen.take(), [within, Noted::Span(of_tool(name, &[]))]);
    }
}

#[tokio::test]
async fn failures_end_their_spans_with_the_kind_of_error() {
    let (seen, _turn) = watch().await;
    let told = [("error.type", "tool_error"), ("otel.status_code", "ERROR")];
    ask(&call_of("fail", "")).await;
    assert_eq!(seen.spans(), [of_tool("fail", &told)]);
    ask(&call_of("add", r#""a":"two","b":3"#)).await;
    assert_eq!(seen.spans(), [of_tool("add", &told)], "arguments that do not fit");
    for name in ["panic", "panic_later"] {
        let answer = ask(&call_of(name, "")).await;
        let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        let text = answer["error"]["message"].as_str().expect("a text");
        assert!(text.starts_with("The server failed to do this; its log has the cause under "), "{text}");
        let span = of_tool(
            name,
            &[
                ("error.type", "-32603"),
                ("otel.status_code", "ERROR"),
                ("otel.status_description", text),
                ("rpc.response.status_code", "-32603"),
            ],
        );
        assert_eq!(seen.spans(), [span], "{answer}");
    }
}

#[tokio::test]
async fn what_a_peer_makes_up_names_no_span() {
    let (seen, _turn) = watch().await;
    ask(&call_of("made_up", "")).await;
    let unknown_tool = of_connection(&[
        ("error.type", "-32602"),
        ("mcp.method.name", "tools/call"),
        ("otel.name", "tools/call"),
        ("otel.status_code", "ERROR"),
        ("otel.status_description", "Unknown tool: made_up"),
        ("rpc.response.status_code", "-32602"),
    ]);
    assert_eq!(seen.spans(), [unknown_tool]);
    ask(&stateless("made/up", "")).await;
    let spans = seen.spans();
    assert_eq!(spans.len(), 1);
    assert_eq!((&*spans[0]["otel.name"], &*spans[0]["mcp.method.name"]), ("_OTHER", "_OTHER"));
    assert_eq!(spans[0]["error.type"], "-32601");
}

#[tokio::test]
async fn prompts_and_resources_have_their_own_attributes() {
    let (seen, _turn) = watch().await;
    ask(&stateless("prompts/get", r#","name":"greet","arguments":{"name":"Ada"}"#)).await;
    let prompt = of_connection(&[
        ("gen_ai.prompt.name", "greet"),
        ("mcp.method.name", "prompts/get"),
        ("otel.name", "prompts/get greet"),
    ]);
    assert_eq!(seen.spans(), [prompt]);
    ask(&stateless("resources/read", r#","uri":"page://7""#)).await;
    let resource = of_connection(&[
        ("mcp.method.name", "resources/read"),
        ("mcp.resource.uri", "page://7"),
        ("otel.name", "resources/read"),
    ]);
    assert_eq!(seen.spans(), [resource]);
}

#[tokio::test]
async fn a_cancelled_call_ends_its_span_and_what_it_drops_is_within() {
    let (seen, _turn) = watch().await;
    let client = server().build().expect("it builds").connect();
    client.send(&call_of("wait", ""));
    assert_eq!(seen.take(), [], "it is under way");
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"seven"}}"#);
    client.finish().await;
    let within = Noted::Event(
        "watching::server".to_owned(),
        Some("tools/call wait".to_owned()),
        fields(&[("message", "given up")]),
    );
    let span = of_tool("wait", &[("error.type", "cancelled"), ("otel.status_code", "ERROR")]);
    assert_eq!(seen.take(), [within, Noted::Span(span)]);
}

#[tokio::test]
async fn each_request_of_a_batch_has_its_span() {
    let (seen, _turn) = watch().await;
    let mut client = server().build().expect("it builds").connect();
    client.send(&INITIALIZE.replace("2025-11-25", "2025-03-26"));
    let later = call(r#""name":"add_later","arguments":{"a":2,"b":3}"#);
    let at_once = later.replace("add_later", "add").replace(r#""id":7"#, r#""id":8"#);
    client.send(&format!("[{later},{at_once}]"));
    client.receive().await.expect("the answer to `initialize`");
    client.receive().await.expect("the answer to the batch");
    let names: Vec<String> = seen.spans().into_iter().map(|mut span| span.remove("otel.name").unwrap()).collect();
    assert_eq!(names, ["initialize", "tools/call add", "tools/call add_later"]);
}

#[tokio::test]
async fn over_http_a_span_tells_session_and_revision() {
    let (seen, _turn) = watch().await;
    let service = server().into_service().expect("it builds");
    let (session, _) = post(&service, None, None, INITIALIZE).await;
    let session = session.expect("a session");
    post(&service, None, Some(&session), &call(r#""name":"fail","arguments":{}"#)).await;
    post(&service, None, Some(&session), &call(r#""name":"add","arguments":{"a":2,"b":3}"#)).await;
    post(&service, None, None, &call_of("add", r#""a":2,"b":3"#)).await;
    let mut spans = seen.spans();
    let told: Vec<_> = spans[1..3].iter_mut().map(|span| span.remove("mcp.session.id")).collect();
    assert_eq!(told[0], told[1]);
    assert!(told[0].as_ref().is_some_and(|told| told.len() == 16 && !session.contains(told.as_str())));
    let http = [("network.protocol.name", "http"), ("network.transport", "tcp")];
    let in_session = [http[0], http[1], ("mcp.protocol.version", "2025-11-25"), ("jsonrpc.request.id", "7")];
    let failed = [("error.type", "tool_error"), ("otel.status_code", "ERROR")];
    assert_eq!(
        spans,
        [
            fields(&[
                http[0],
                http[1],
                ("jsonrpc.request.id", "1"),
                ("mcp.method.name", "initialize"),
                ("mcp.protocol.version", "2025-11-25"),
                ("otel.kind", "server"),
                ("otel.name", "initialize"),
            ]),
            of_tool("fail", &[&in_session[..], &failed].concat()),
            of_tool("add", &in_session),
            of_tool("add", &http),
        ]
    );
}

#[tokio::test]
async fn over_http_a_span_tells_the_client_and_the_id_of_its_request() {
    let (seen, _turn) = watch().await;
    let server = server().request_ids(true).trusted_proxies(["192.0.2.1"], ForwardingHeader::XForwardedFor);
    let mut service = server.into_service().expect("it builds");
    let mut request = request(None, None, &call_of("add", r#""a":2,"b":3"#));
    request.extensions_mut().insert(PeerAddress([192, 0, 2, 1].into()));
    request.headers_mut().insert("x-forwarded-for", "203.0.113.9".parse().unwrap());
    request.headers_mut().insert("x-request-id", "of-the-proxy".parse().unwrap());
    let response = service.call(request).await.expect("the service answers");
    assert_eq!(response.headers().get("x-request-id").map(|id| id.as_bytes()), Some(&b"of-the-proxy"[..]));
    let told = [
        ("network.protocol.name", "http"),
        ("network.transport", "tcp"),
        ("client.address", "203.0.113.9"),
        ("http.request.header.x-request-id", "of-the-proxy"),
    ];
    assert_eq!(seen.spans(), [of_tool("add", &told)]);
}

#[tokio::test]
async fn the_trace_of_the_client_is_taken_over() {
    let (seen, _turn) = watch().await;
    let adopted = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&adopted);
    let server = server().trace_parent(move |span, context| {
        let name = span.metadata().map(tracing::Metadata::name);
        let state = context.get("tracestate").map(str::to_owned);
        kept.lock().unwrap().push((name, context.get("traceparent").map(str::to_owned), state));
    });
    let server = server.build().expect("it builds");
    let message = call_of("add", r#""a":2,"b":3"#);
    for (trace, state) in [(PARENT, r#","tracestate":"vendor=1""#), (PARENT, ""), ("00-made-up-01", "")] {
        let mut client = server.connect();
        client.send(&message.replacen(r#""_meta":{"#, &format!(r#""_meta":{{"traceparent":"{trace}"{state},"#), 1));
        client.receive().await.expect("an answer");
    }
    let expected = [
        of_tool("add", &[("traceparent", PARENT), ("tracestate", "vendor=1")]),
        of_tool("add", &[("traceparent", PARENT)]),
        of_tool("add", &[]),
    ];
    assert_eq!(seen.spans(), expected);
    let (name, parent) = (Some("mcp.request"), Some(PARENT.to_owned()));
    let expected = [(name, parent.clone(), Some("vendor=1".to_owned())), (name, parent, None)];
    assert_eq!(*adopted.lock().unwrap(), expected);
}
