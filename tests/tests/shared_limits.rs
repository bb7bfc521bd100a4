//! Limits of all functions together: by who calls, and of the whole server.

#![allow(missing_docs)]

use http_body_util::{BodyExt as _, Full};
use hyper::Request;
use hyper::body::Bytes;
use mcp_runtime::prelude::*;
use mcp_runtime::{Completion, Connection, HttpService, Principal, Server};
use mcp_tests::{META, ask};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tower_service::Service as _;

/// How many calls run, and the most that ever did, by caller.
#[derive(Default)]
struct Running(Mutex<HashMap<String, (u32, u32)>>);

impl Running {
    async fn a_while(&self, who: &str) {
        {
            let mut running = self.0.lock().expect("not poisoned");
            let (now, most) = running.entry(who.to_owned()).or_default();
            *now += 1;
            *most = (*most).max(*now);
        }
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        self.0.lock().expect("not poisoned").get_mut(who).expect("it runs").0 -= 1;
    }

    fn most(&self, who: &str) -> u32 {
        self.0.lock().expect("not poisoned").get(who).map_or(0, |(_, most)| *most)
    }
}

type Shared = State<Arc<Running>>;

/// Runs for a while, counted by who calls.
#[mcp_tool]
async fn mine(principal: Option<Principal>, running: Shared) {
    running.a_while(principal.as_ref().map_or("nobody", Principal::as_str)).await;
}

/// Runs for a while, counted with all others.
#[mcp_tool]
async fn tool(running: Shared) {
    running.a_while("all").await;
}

/// Runs for a while, counted with all others.
#[mcp_prompt]
async fn prompt(#[arg(complete = words)] word: Option<String>, running: Shared) -> String {
    running.a_while("all").await;
    word.unwrap_or_default()
}

async fn words(_: Completion) -> Vec<String> {
    vec!["word".to_owned()]
}

/// Says words that take a while to find: counted with all others, and by who asks.
#[mcp_prompt(concurrency = 1)]
async fn slow(#[arg(complete = slow_words)] word: Option<String>, running: Shared) -> String {
    running.a_while("all").await;
    word.unwrap_or_default()
}

async fn slow_words(asked: Completion) -> Vec<String> {
    busy(&asked.context).await;
    vec!["word".to_owned()]
}

/// One of what takes a while to list: counted with all others, and by who asks.
#[mcp_resource(uri = "listed://{id}", list = listed)]
fn one(id: u32) -> String {
    format!("{id}")
}

async fn listed(cx: Context) -> Vec<ResourceLink> {
    busy(&cx).await;
    vec![ResourceLink::new("listed://1", "one")]
}

async fn busy(cx: &Context) {
    let running = cx.state::<Arc<Running>>().expect("it is there");
    let who = cx.principal().map_or("nobody", Principal::as_str);
    tokio::join!(running.a_while("all"), running.a_while(who));
}

/// Runs for a while, counted with all others.
#[mcp_resource(uri = "counted://it")]
async fn resource(running: Shared) -> &'static str {
    running.a_while("all").await;
    "it"
}

fn server(running: &Arc<Running>) -> Server {
    let server = mcp_runtime::server!().tools(tools![mine, tool]).prompts(prompts![prompt, slow]);
    server.resources(resources![resource, one]).state(Arc::clone(running))
}

const COMPLETION: &str = r#""ref":{"type":"ref/prompt","name":"slow"},"argument":{"name":"word","value":""},"#;

/// What takes a while for whoever asks.
const MINE: [(&str, &str); 3] =
    [("tools/call", r#""name":"mine","#), ("completion/complete", COMPLETION), ("resources/list", "")];

async fn call(service: HttpService, principal: Option<&'static str>, (method, params): (&str, &str)) -> Value {
    let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}{META}}}}}"#);
    let mut request = Request::post("/")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if method == "tools/call" {
        request = request.header("mcp-name", "mine");
    }
    if let Some(principal) = principal {
        request = request.extension(Principal::new(principal));
    }
    let request = request.body(Full::new(Bytes::from(message))).expect("a valid request");
    let response = service.clone().call(request).await.expect("the service answers");
    let body = response.into_body().collect().await.expect("the body is whole").to_bytes();
    serde_json::from_slice(&body).expect("JSON")
}

#[tokio::test]
async fn calls_of_one_principal_wait_and_hold_up_nobody_else() {
    let running = Arc::<Running>::default();
    let service = server(&running).concurrency_per_principal(2).into_service().expect("it builds");
    let mut calls = tokio::task::JoinSet::new();
    for principal in [Some("ada"), Some("bob"), None] {
        for ask in MINE.into_iter().cycle().take(6) {
            calls.spawn(call(service.clone(), principal, ask));
        }
    }
    while let Some(answer) = calls.join_next().await {
        let answer = answer.expect("no panic");
        assert!(answer["result"].is_object(), "{answer}");
    }
    assert_eq!(["ada", "bob", "nobody"].map(|who| running.most(who)), [2, 2, 2]);
}

#[tokio::test]
async fn all_functions_share_the_turns_of_the_server() {
    let running = Arc::<Running>::default();
    let mut client = server(&running).concurrency_per_server(2).build().expect("it builds").connect();
    let asks = [
        ("tools/call", r#""name":"tool","#),
        ("prompts/get", r#""name":"prompt","#),
        ("resources/read", r#""uri":"counted://it","#),
        ("completion/complete", COMPLETION),
        ("resources/list", ""),
    ];
    for (id, (method, params)) in asks.iter().cycle().take(15).enumerate() {
        client.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{META}}}}}"#));
    }
    for _ in 0..15 {
        let answer: Value = serde_json::from_str(&client.receive().await.expect("an answer")).expect("JSON");
        assert!(answer["error"].is_null(), "{answer}");
    }
    assert_eq!(running.most("all"), 2);
}

/// Who types an argument waits for nobody's call of the function, which has a place for one.
#[tokio::test]
async fn a_completer_takes_no_place_of_its_function() {
    let running = Arc::<Running>::default();
    let mut client = server(&running).build().expect("it builds").connect();
    for (id, (method, params)) in [("prompts/get", r#""name":"slow","#), ("completion/complete", COMPLETION)]
        .into_iter()
        .cycle()
        .take(6)
        .enumerate()
    {
        client.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}{META}}}}}"#));
    }
    for _ in 0..6 {
        let answer: Value = serde_json::from_str(&client.receive().await.expect("an answer")).expect("JSON");
        assert!(answer["error"].is_null(), "{answer}");
    }
    assert_eq!(running.most("all"), 4, "three completions, and the function once");
}

#[tokio::test(start_paused = true)]
async fn all_functions_share_the_rate_of_the_server() {
    let ping = |server: &mcp_runtime::BuiltServer| ask(server, "tools/call", r#""name":"ping""#)["result"].clone();
    let server = mcp_runtime::server!().tools(tools![ping_me]).prompts(prompts![quick]);
    let server = server.rate_limit_per_server(3, Duration::from_secs(30)).build().expect("it builds");
    let completion = r#""ref":{"type":"ref/prompt","name":"quick"},"argument":{"name":"word","value":""}"#;
    assert_eq!(ping(&server)["content"][0]["text"], "here");
    assert!(ask(&server, "prompts/get", r#""name":"quick""#)["error"].is_null());
    assert_eq!(ask(&server, "completion/complete", completion)["result"]["completion"]["values"], json!(["word"]));
    assert_eq!(ping(&server)["content"][0]["text"], "Called too often. Try again in 10 s.");
    for (method, params) in [("prompts/get", r#""name":"quick""#), ("completion/complete", completion)] {
        let error = ask(&server, method, params)["error"].clone();
        assert_eq!((&error["code"], &error["data"]), (&json!(-32603), &json!({"retryAfterMs": 10_000})), "{method}");
    }
    assert!(ask(&server, "tools/list", "")["result"]["tools"].is_array(), "lists are not calls");
    tokio::time::advance(Duration::from_secs(10)).await;
    assert_eq!(ping(&server)["content"][0]["text"], "here");
}

/// Is there.
#[mcp_tool(name = "ping")]
fn ping_me() -> &'static str {
    "here"
}

/// Says a word.
#[mcp_prompt]
fn quick(#[arg(complete = words)] word: Option<String>) -> String {
    word.unwrap_or_default()
}

/// What is asked.
#[mcp_type]
struct Sure {
    sure: bool,
}

/// Asks the client.
#[mcp_tool]
async fn asks(cx: Context) -> Result<bool, ToolError> {
    Ok(cx.elicit::<Sure>("Are you sure?").await?.accepted()?.sure)
}

async fn next(client: &mut Connection) -> Value {
    serde_json::from_str(&client.receive().await.expect("a message")).expect("JSON")
}

#[tokio::test]
async fn a_question_to_a_session_does_not_hold_up_the_server() {
    let running = Arc::<Running>::default();
    let server = mcp_runtime::server!().tools(tools![asks, tool]).state(Arc::clone(&running));
    let server = server.concurrency_per_server(1).concurrency_per_principal(3).build().expect("it builds");
    let mut client = server.connect();
    client.send(
        r#"{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"0"}}}"#,
    );
    next(&mut client).await;
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let call = |id: u32, name: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{name}"}}}}"#)
    };
    client.send(&call(1, "asks"));
    let question = next(&mut client).await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    for id in [2, 3] {
        client.send(&call(id, "tool"));
    }
    assert_eq!([next(&mut client).await["id"].clone(), next(&mut client).await["id"].clone()], [2, 3]);
    assert_eq!(running.most("all"), 1, "one at a time all the same");
    client.send(&format!(
        r#"{{"jsonrpc":"2.0","id":{},"result":{{"action":"accept","content":{{"sure":true}}}}}}"#,
        question["id"]
    ));
    let answer = next(&mut client).await;
    assert_eq!((&answer["id"], &answer["result"]["content"][0]["text"]), (&json!(1), &json!("true")), "{answer}");
}
