//! Limits of calls: turns, rates, further attempts, sizes. A program of its own, with a server for each test.

#![allow(missing_docs)]

use mcp_runtime::prelude::*;
use mcp_runtime::{BuiltServer, Connection};
use mcp_tests::{META, ask};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// Counts how many calls run, and the most that ever did.
#[derive(Default)]
struct Running {
    now: AtomicU32,
    most: AtomicU32,
}

impl Running {
    fn enter(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
    }

    fn leave(&self) {
        self.now.fetch_sub(1, Ordering::SeqCst);
    }

    async fn a_while(&self) -> u32 {
        self.enter();
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        self.leave();
        self.most.load(Ordering::SeqCst)
    }
}

type Shared = State<Arc<Running>>;

/// Runs alone.
#[mcp_tool(concurrency = 1)]
async fn alone(running: Shared) -> u32 {
    running.a_while().await
}

/// Runs beside others.
#[mcp_tool]
async fn together(running: Shared) -> u32 {
    running.a_while().await
}

/// Runs alone.
#[mcp_prompt(concurrency = 1)]
async fn alone_prompt(running: Shared) -> String {
    running.a_while().await.to_string()
}

/// Runs alone.
#[mcp_resource(uri = "alone://{id}", concurrency = 1)]
async fn alone_resource(id: u32, running: Shared) -> String {
    format!("{id}: {}", running.a_while().await)
}

/// Blocks a thread until it is let go, and is given up before.
#[mcp_tool(blocking, concurrency = 1, timeout = "20ms")]
fn stuck(gate: State<Mutex<mpsc::Receiver<()>>>, running: Shared) -> u32 {
    running.enter();
    let _ = gate.lock().expect("not poisoned").recv();
    running.leave();
    running.most.load(Ordering::SeqCst)
}

fn call(client: &mut Connection, id: u32, method: &str, params: &str) {
    client.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{META},{params}}}}}"#));
}

async fn answers(client: &mut Connection, count: usize) -> Vec<Value> {
    let mut answers = Vec::new();
    while answers.len() < count {
        answers.push(serde_json::from_str(&client.receive().await.expect("an answer")).expect("JSON"));
    }
    answers
}

async fn most_at_a_time(server: &BuiltServer, method: &str, params: &str) -> Vec<String> {
    let mut client = server.connect();
    for id in 0..3 {
        call(&mut client, id, method, params);
    }
    let text = |answer: &Value| {
        let result = &answer["result"];
        let texts = [&result["content"][0]["text"], &result["contents"][0]["text"]];
        let texts = texts.into_iter().chain([&result["messages"][0]["content"]["text"]]);
        texts.filter_map(Value::as_str).map(str::to_owned).next().unwrap_or_else(|| panic!("no text: {answer}"))
    };
    answers(&mut client, 3).await.iter().map(text).collect()
}

#[tokio::test]
async fn calls_wait_for_their_turn() {
    let server = |running: &Arc<Running>| {
        let server = mcp_runtime::server!().tools(tools![alone, together]).prompts(prompts![alone_prompt]);
        server.resources(resources![alone_resource]).state(Arc::clone(running)).build().expect("it builds")
    };
    let tool = |name: &str| format!(r#""name":"{name}""#);
    for (method, params, expected) in [
        ("tools/call", tool("alone"), "1"),
        ("tools/call", tool("together"), "3"),
        ("prompts/get", tool("alone_prompt"), "1"),
        ("resources/read", r#""uri":"alone://7""#.to_owned(), "7: 1"),
    ] {
        let texts = most_at_a_time(&server(&Arc::default()), method, &params).await;
        assert!(texts.iter().any(|text| text == expected), "{params}: {texts:?}");
        assert!(expected == "3" || texts.iter().all(|text| text == expected), "{params}: {texts:?}");
    }
}

#[tokio::test]
async fn a_default_of_the_server_is_for_functions_without_a_limit_of_their_own() {
    let running = Arc::<Running>::default();
    let server = mcp_runtime::server!().concurrency(2).tools(tools![alone, together]).state(Arc::clone(&running));
    let server = server.build().expect("it builds");
    most_at_a_time(&server, "tools/call", r#""name":"alone""#).await;
    assert_eq!(running.most.load(Ordering::SeqCst), 1);
    most_at_a_time(&server, "tools/call", r#""name":"together""#).await;
    assert_eq!(running.most.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_thread_that_blocks_keeps_its_turn_after_its_call_was_given_up() {
    let (open, gate) = mpsc::channel();
    let running = Arc::<Running>::default();
    let server = mcp_runtime::server!().tools(tools![stuck]).state(Mutex::new(gate)).state(Arc::clone(&running));
    let mut client = server.build().expect("it builds").connect();
    let mut ids = 1..100;
    let given_up = async |client: &mut Connection, id: Option<u32>| {
        call(client, id.expect("few calls are enough"), "tools/call", r#""name":"stuck""#);
        let answer = answers(client, 1).await.remove(0);
        answer["result"]["content"][0]["text"] == "The function did not finish within 20ms."
    };
    // On a busy machine a call may be given up before it has a thread: it never begins then.
    while running.now.load(Ordering::SeqCst) == 0 {
        assert!(given_up(&mut client, ids.next()).await);
    }
    assert!(given_up(&mut client, ids.next()).await);
    assert_eq!(running.most.load(Ordering::SeqCst), 1, "the second call has not begun");
    // And before the thread has gone that another call had.
    loop {
        for _thread in ["the one that is stuck", "the next one"] {
            open.send(()).expect("the gate is there");
        }
        if !given_up(&mut client, ids.next()).await {
            break;
        }
    }
    assert_eq!(running.most.load(Ordering::SeqCst), 1);
}

#[derive(Default)]
struct Attempts(AtomicU32);

impl Attempts {
    /// Fails until it has been asked `needed` times.
    fn on(&self, needed: u32) -> Result<u32, ToolError> {
        let made = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        if made < needed { Err(ToolError::new(format!("attempt {made}"))) } else { Ok(made) }
    }
}

/// Takes something that cannot be cloned.
#[mcp_type]
struct Once {
    word: String,
}

/// Fails for a while.
#[mcp_tool(retry = 2)]
async fn shaky(needed: u32, thing: Once, attempts: State<Attempts>) -> Result<String, ToolError> {
    tokio::task::yield_now().await;
    attempts.on(needed).map(|made| format!("{} {made}", thing.word)).map_err(ToolError::transient)
}

/// Fails for good.
#[mcp_tool(retry = 2)]
fn hopeless(needed: u32, attempts: State<Attempts>) -> Result<u32, ToolError> {
    attempts.on(needed)
}

/// Fails for a while.
#[mcp_resource(uri = "shaky://{needed}", retry = 1)]
fn shaky_resource(needed: u32, attempts: State<Attempts>) -> Result<String, ToolError> {
    attempts.on(needed).map(|made| made.to_string()).map_err(ToolError::transient)
}

/// Fails for a while.
#[mcp_prompt(retry = 1)]
fn shaky_prompt(needed: u32, attempts: State<Attempts>) -> Result<String, ToolError> {
    attempts.on(needed).map(|made| made.to_string()).map_err(ToolError::transient)
}

async fn attempted(method: &str, params: &str) -> Value {
    let server = mcp_runtime::server!().tools(tools![shaky, hopeless]).resources(resources![shaky_resource]);
    let server = server.prompts(prompts![shaky_prompt]).state(Attempts::default()).build().expect("it builds");
    let mut client = server.connect();
    call(&mut client, 1, method, params);
    answers(&mut client, 1).await.remove(0)
}

#[tokio::test(start_paused = true)]
async fn failures_that_may_pass_are_tried_again_and_no_others() {
    let shaky = |needed: u32| format!(r#""name":"shaky","arguments":{{"needed":{needed},"thing":{{"word":"made"}}}}"#);
    let answer = attempted("tools/call", &shaky(3)).await;
    assert_eq!(answer["result"]["content"][0]["text"], "made 3");
    let answer = attempted("tools/call", &shaky(4)).await;
    assert_eq!(
        (&answer["result"]["isError"], &answer["result"]["content"][0]["text"]),
        (&json!(true), &json!("attempt 3"))
    );
    let answer = attempted("tools/call", r#""name":"hopeless","arguments":{"needed":2}"#).await;
    assert_eq!(answer["result"]["content"][0]["text"], "attempt 1");
    let answer = attempted("resources/read", r#""uri":"shaky://2""#).await;
    assert_eq!(answer["result"]["contents"][0]["text"], "2");
    let answer = attempted("resources/read", r#""uri":"shaky://3""#).await;
    assert_eq!(answer["error"]["message"], "attempt 2");
    let answer = attempted("prompts/get", r#""name":"shaky_prompt","arguments":{"needed":"2"}"#).await;
    assert_eq!(answer["result"]["messages"][0]["content"]["text"], "2");
}

#[tokio::test(start_paused = true)]
async fn arguments_of_a_function_that_waits_are_refused_as_others_are() {
    let answer = attempted("tools/call", r#""name":"shaky","arguments":{"needed":"x","other":1}"#).await;
    let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
    assert!(
        answer["result"]["isError"] == true && ["needed", "thing", "other"].iter().all(|n| text.contains(n)),
        "{text}"
    );
    let answer = attempted("prompts/get", r#""name":"shaky_prompt","arguments":{"needed":"x"}"#).await;
    assert_eq!(answer["error"]["code"], -32602);
    let answer = attempted("resources/read", r#""uri":"shaky://x""#).await;
    assert_eq!(answer["error"]["code"], -32602);
}

/// Called rarely.
#[mcp_tool(rate_limit = "2/h")]
fn rare() -> &'static str {
    "here"
}

/// Called rarely.
#[mcp_prompt(rate_limit = "1/10s")]
fn rare_prompt() -> &'static str {
    "here"
}

/// Read rarely.
#[mcp_resource(uri = "rare://it", rate_limit = "1/m")]
fn rare_resource() -> &'static str {
    "here"
}

#[tokio::test(start_paused = true)]
async fn calls_beyond_a_rate_are_told_how_long_to_wait() {
    let server = mcp_runtime::server!().tools(tools![rare]).prompts(prompts![rare_prompt]);
    let server = server.resources(resources![rare_resource]).build().expect("it builds");
    let rare = || ask(&server, "tools/call", r#""name":"rare""#)["result"].clone();
    assert_eq!((rare()["isError"].clone(), rare()["content"][0]["text"].clone()), (Value::Null, json!("here")));
    let refused = rare();
    assert_eq!(refused["isError"], true);
    assert_eq!(refused["content"][0]["text"], "Called too often. Try again in 1800 s.");
    tokio::time::advance(Duration::from_secs(1800)).await;
    assert_eq!(rare()["content"][0]["text"], "here");
    for (method, params, wait) in
        [("prompts/get", r#""name":"rare_prompt""#, 10_000), ("resources/read", r#""uri":"rare://it""#, 60_000)]
    {
        assert!(ask(&server, method, params)["error"].is_null(), "{method}");
        let error = ask(&server, method, params)["error"].clone();
        assert_eq!((&error["code"], &error["data"]), (&json!(-32603), &json!({"retryAfterMs": wait})), "{method}");
    }
}

/// Tells a long story.
#[mcp_tool(max_output = "8B")]
fn story() -> &'static str {
    "once upon ä time"
}

/// Fails, and says much about it.
#[mcp_tool(max_output = "8B")]
fn complain() -> Result<(), String> {
    Err("it was not my fault".to_owned())
}

/// Counts.
#[mcp_tool(max_output = "8B")]
fn count(to: u32) -> Vec<u32> {
    (0..to).collect()
}

/// Tells a long story.
#[mcp_resource(uri = "story://long", max_output = "12B")]
fn long() -> &'static str {
    "once upon ä time"
}

/// Asks for a long story.
#[mcp_prompt]
fn ask_story() -> [Message; 2] {
    [Message::user("a story"), Message::assistant("once upon a time")]
}

#[test]
fn replies_are_cut_and_say_so() {
    let server =
        mcp_runtime::server!().max_output(9).tools(tools![story, complain, count]).prompts(prompts![ask_story]);
    let server = server.resources(resources![long]).build().expect("it builds");
    let text = ask(&server, "tools/call", r#""name":"story""#)["result"]["content"][0]["text"].clone();
    assert_eq!(text, "once upo\n\n[Cut off here: 9 of 17 bytes are missing.]");
    let failed = ask(&server, "tools/call", r#""name":"complain""#)["result"].clone();
    let text = "it was n\n\n[Cut off here: 11 of 19 bytes are missing.]";
    assert_eq!((&failed["isError"], &failed["content"][0]["text"]), (&json!(true), &json!(text)));
    let few = ask(&server, "tools/call", r#""name":"count","arguments":{"to":3}"#);
    assert_eq!(few["result"]["structuredContent"], json!([0, 1, 2]));
    let many = ask(&server, "tools/call", r#""name":"count","arguments":{"to":9}"#)["result"].clone();
    assert_eq!((&many["isError"], many.get("structuredContent")), (&json!(true), None));
    let read = ask(&server, "resources/read", r#""uri":"story://long""#)["result"]["contents"][0]["text"].clone();
    assert_eq!(read, "once upon ä\n\n[Cut off here: 5 of 17 bytes are missing.]");
    let messages = ask(&server, "prompts/get", r#""name":"ask_story""#)["result"]["messages"].clone();
    assert_eq!(messages[0]["content"]["text"], "a story");
    assert_eq!(messages[1]["role"], "assistant");
    assert_eq!(messages[1]["content"]["text"], "on\n\n[Cut off here: 14 of 23 bytes are missing.]");
}
