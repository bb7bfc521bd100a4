//! What may happen to calls that wait for their turn, and to calls that are tried again.

#![allow(missing_docs)]

use mcp_runtime::prelude::*;
use mcp_runtime::{BuiltServer, Connection};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::sync::Semaphore;

/// What calls wait for, and who has begun.
struct Gate {
    open: Semaphore,
    begun: Semaphore,
}

impl Default for Gate {
    fn default() -> Self {
        Gate { open: Semaphore::new(0), begun: Semaphore::new(0) }
    }
}

/// Waits at the gate.
#[mcp_tool(concurrency = 1)]
async fn held(gate: State<Gate>) -> &'static str {
    gate.begun.add_permits(1);
    gate.open.acquire().await.expect("it is open").forget();
    "held"
}

/// Waits at the gate, but not for long.
#[mcp_tool(concurrency = 1, timeout = "20ms")]
async fn hasty(gate: State<Gate>) -> &'static str {
    gate.open.acquire().await.expect("it is open").forget();
    "hasty"
}

#[derive(Default)]
struct Counts {
    attempts: AtomicU32,
    steps: AtomicU32,
}

/// Panics in one of three ways.
#[mcp_tool(concurrency = 1)]
async fn panics(late: bool) -> String {
    if late {
        tokio::task::yield_now().await;
    }
    panic!("the secret")
}

/// Panics on another thread.
#[mcp_tool(blocking, concurrency = 1)]
fn panics_elsewhere() -> String {
    panic!("the secret")
}

#[mcp_type]
struct Sure {
    sure: bool,
}

/// Asks, one call at a time.
#[mcp_tool(concurrency = 1)]
async fn asks(cx: Context) -> Result<String, ToolError> {
    let answer: Sure = cx.elicit::<Sure>("Sure?").await?.accepted()?;
    Ok(format!("sure: {}", answer.sure))
}

/// Fails once when all has been asked and done.
#[mcp_tool(retry = 2)]
async fn shaky(cx: Context, counts: State<Counts>) -> Result<String, ToolError> {
    cx.progress(counts.attempts.load(Ordering::SeqCst), 10);
    let step = async { Ok::<u32, ToolError>(counts.steps.fetch_add(1, Ordering::SeqCst) + 1) };
    let step = cx.once("step", step).await?;
    let one: Sure = cx.elicit::<Sure>("Sure?").await?.accepted()?;
    let two: Sure = cx.elicit::<Sure>("Really?").key("really").await?.accepted()?;
    let attempt = counts.attempts.fetch_add(1, Ordering::SeqCst) + 1;
    if attempt < 3 {
        return Err(ToolError::new("not yet").transient());
    }
    Ok(format!("{} {}, step {step}, attempt {attempt}", one.sure, two.sure))
}

/// Fails while a question is still open.
#[mcp_tool(retry = 1)]
async fn leaves_a_question(cx: Context, counts: State<Counts>) -> Result<String, ToolError> {
    if counts.attempts.fetch_add(1, Ordering::SeqCst) > 0 {
        return Ok("done".to_owned());
    }
    tokio::select! {
        biased;
        _ = cx.elicit::<Sure>("Sure?") => Ok("answered".to_owned()),
        () = std::future::ready(()) => Err(ToolError::new("not yet").transient()),
    }
}

const ABLE: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"progressToken":1}"#;

fn server(gate: &Arc<Gate>) -> BuiltServer {
    let tools = tools![held, hasty, panics, panics_elsewhere, asks, shaky, leaves_a_question];
    let server = mcp_runtime::server!().tools(tools).shared_state(Arc::clone(gate)).state(Counts::default());
    server.build().expect("it builds")
}

fn call(client: &mut Connection, id: u32, name: &str, more: &str) {
    let params = format!(r#"{{{ABLE},"name":"{name}"{more}}}"#);
    client.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#));
}

async fn receive(client: &mut Connection) -> Value {
    serde_json::from_str(&client.receive().await.expect("a message")).expect("JSON")
}

/// The next message that is no notification.
async fn answer(client: &mut Connection) -> Value {
    loop {
        let message = receive(client).await;
        if message.get("id").is_some() {
            return message;
        }
    }
}

fn cancel(client: &mut Connection, id: u32) {
    client.send(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#));
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"))
}

#[tokio::test]
async fn whoever_is_cancelled_gives_its_turn_to_the_next() {
    let gate = Arc::default();
    let mut client = server(&gate).connect();
    for id in 1..=4 {
        call(&mut client, id, "held", "");
    }
    gate.begun.acquire().await.expect("it is open").forget();
    // One that waits, and the one that runs.
    cancel(&mut client, 2);
    cancel(&mut client, 1);
    gate.begun.acquire().await.expect("it is open").forget();
    assert_eq!(gate.begun.available_permits(), 0, "one at a time");
    gate.open.add_permits(2);
    assert_eq!(
        [answer(&mut client).await["id"].clone(), answer(&mut client).await["id"].clone()],
        [json!(3), json!(4)]
    );
    assert!(client.try_receive().is_none(), "nobody else is answered");
}

#[tokio::test]
async fn time_goes_on_while_a_call_waits_and_its_turn_goes_to_the_next() {
    let gate = Arc::<Gate>::default();
    let mut client = server(&gate).connect();
    for id in 1..=3 {
        call(&mut client, id, "hasty", "");
    }
    for _ in 1..=3 {
        assert_eq!(text(&answer(&mut client).await), "The function did not finish within 20ms.");
    }
    gate.open.add_permits(1);
    call(&mut client, 4, "hasty", "");
    assert_eq!(text(&answer(&mut client).await), "hasty");
}

#[tokio::test]
async fn a_panic_gives_the_turn_back() {
    let mut client = server(&Arc::default()).connect();
    for (name, arguments) in [("panics", r#","arguments":{"late":false}"#), ("panics", r#","arguments":{"late":true}"#)]
        .into_iter()
        .chain([("panics_elsewhere", "")])
    {
        for id in 1..=3 {
            call(&mut client, id, name, arguments);
        }
        for _ in 1..=3 {
            let answer = answer(&mut client).await;
            assert_eq!(answer["error"]["code"], -32603, "{answer}");
        }
    }
}

const SURE: &str = r#"{"action":"accept","content":{"sure":true}}"#;

#[tokio::test]
async fn a_call_that_has_asked_gives_its_turn_back_until_its_next_round() {
    let mut client = server(&Arc::default()).connect();
    for id in 1..=2 {
        call(&mut client, id, "asks", "");
        let question = answer(&mut client).await;
        assert!(question["result"]["inputRequests"]["form-1"].is_object(), "{question}");
    }
    for id in 3..=4 {
        call(&mut client, id, "asks", &format!(r#","inputResponses":{{"form-1":{SURE}}}"#));
        assert_eq!(text(&answer(&mut client).await), "sure: true");
    }
}

#[tokio::test(start_paused = true)]
async fn further_attempts_know_what_was_answered_and_done_in_rounds() {
    let mut client = server(&Arc::default()).connect();
    call(&mut client, 1, "shaky", "");
    let first = answer(&mut client).await["result"].clone();
    assert!(first["inputRequests"]["form-1"].is_object(), "{first}");
    let go_on = |round: &Value, key: &str| {
        format!(r#","requestState":{},"inputResponses":{{"{key}":{SURE}}}"#, round["requestState"])
    };
    call(&mut client, 2, "shaky", &go_on(&first, "form-1"));
    let second = answer(&mut client).await["result"].clone();
    assert!(second["inputRequests"]["really"].is_object(), "{second}");
    call(&mut client, 3, "shaky", &go_on(&second, "really"));
    assert_eq!(text(&answer(&mut client).await), "true true, step 1, attempt 3");
}

async fn session(server: &BuiltServer, revision: &str) -> Connection {
    let mut client = server.connect();
    let params = json!({"protocolVersion": revision, "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "test", "version": "1"}});
    client.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string());
    answer(&mut client).await;
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    client
}

#[tokio::test(start_paused = true)]
async fn further_attempts_know_what_was_answered_and_done_in_a_session() {
    let mut client = session(&server(&Arc::default()), "2025-11-25").await;
    let call = |id: u32| {
        let params = json!({"name": "shaky", "_meta": {"progressToken": id}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
    };
    client.send(&call(1));
    let mut asked = Vec::new();
    let last = loop {
        let message = answer(&mut client).await;
        if message["method"] != "elicitation/create" {
            break message;
        }
        asked.push(message["params"]["message"].clone());
        let sure: Value = serde_json::from_str(SURE).expect("JSON");
        client.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": sure}).to_string());
    };
    assert_eq!(text(&last), "true true, step 1, attempt 3");
    assert_eq!(asked, ["Sure?", "Really?"], "nobody is asked twice");
    assert!(client.try_receive().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_question_of_an_attempt_that_failed_is_not_asked() {
    let mut client = server(&Arc::default()).connect();
    call(&mut client, 1, "leaves_a_question", "");
    assert_eq!(text(&answer(&mut client).await), "done");
}

#[tokio::test]
async fn calls_of_a_batch_take_their_turns() {
    let gate = Arc::<Gate>::default();
    let mut client = session(&server(&gate), "2025-03-26").await;
    let call = |id: u32| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "held"}});
    client.send(&json!([call(1), call(2), call(3)]).to_string());
    for _ in 1..=3 {
        gate.begun.acquire().await.expect("it is open").forget();
        assert_eq!(gate.begun.available_permits(), 0, "one at a time");
        gate.open.add_permits(1);
    }
    let answers = receive(&mut client).await;
    let texts: Vec<&str> = answers.as_array().expect("a batch").iter().map(text).collect();
    assert_eq!(texts, ["held"; 3]);
}
