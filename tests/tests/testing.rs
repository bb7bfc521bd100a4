//! The client for tests: results with their types in every revision, questions, notifications, errors, and nothing left behind.

#![allow(missing_docs)]

use mcp_runtime::prelude::*;
use mcp_runtime::testing::{Client, ClientError, golden};
use mcp_runtime::{BuiltServer, Server};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::task::JoinSet;

const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

#[mcp_type]
#[derive(Debug, PartialEq)]
struct Point {
    x: f64,
    y: f64,
}

/// Who wants to know?
#[mcp_type]
struct Name {
    name: String,
}

/// Adds two numbers.
#[mcp_tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Repeats a text.
#[mcp_tool]
fn echo(text: String) -> String {
    text
}

/// Mirrors a point at the diagonal.
#[mcp_tool]
fn mirror(point: Point) -> Point {
    Point { x: point.y, y: point.x }
}

/// Counts up.
#[mcp_tool]
fn count(to: u32) -> Vec<u32> {
    (1..=to).collect()
}

/// Does nothing.
#[mcp_tool]
fn rest() {}

/// Fails.
#[mcp_tool]
fn fail() -> Result<u8, ToolError> {
    Err(ToolError::new("It is too late for that."))
}

/// Greets whoever says a name.
#[mcp_tool]
async fn greet(cx: &Context) -> Result<String, ToolError> {
    match cx.elicit::<Name>("What is your name?").await? {
        Elicited::Accepted(Name { name }) => Ok(format!("Hello, {name}")),
        _ => Ok("Hello, whoever you are".to_owned()),
    }
}

/// Tells its trace.
#[mcp_tool]
fn traced(cx: &Context) -> String {
    cx.meta().get("traceparent").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Waits a moment.
#[mcp_tool]
async fn moment(shared: State<Arc<()>>, cx: &Context) -> usize {
    cx.progress(1, 2);
    tokio::task::yield_now().await;
    Arc::strong_count(&shared)
}

/// A page of a book.
#[mcp_resource(uri = "book://pages/{number}")]
fn page(number: u32) -> String {
    format!("Page {number}")
}

/// The cover.
#[mcp_resource(uri = "book://cover")]
fn cover() -> &'static str {
    "A book"
}

/// Asks for a summary.
#[mcp_prompt]
fn summary(of: String) -> String {
    format!("Sum up {of}.")
}

fn server(shared: &Arc<()>) -> Server {
    mcp_runtime::server!().page_size(2).state(Arc::clone(shared))
}

fn built() -> BuiltServer {
    server(&Arc::default()).build().expect("it builds")
}

#[tokio::test]
async fn results_have_types_in_every_revision() -> Result<(), ClientError> {
    let server = built();
    for revision in REVISIONS {
        let mut client = Client::new(&server).revision(revision);
        assert_eq!(client.call::<i64>("add", json!({"a": 2, "b": 3})).await?, 5);
        assert_eq!(client.call::<String>("echo", json!({"text": "5"})).await?, "5");
        let point = client.call::<Point>("mirror", json!({"point": {"x": 1.0, "y": 2.0}})).await?;
        assert_eq!(point, Point { x: 2.0, y: 1.0 });
        assert_eq!(client.call::<Vec<u32>>("count", json!({"to": 3})).await?, [1, 2, 3]);
        client.call::<()>("rest", json!({})).await?;
        assert_eq!(client.read("book://pages/7").await?, "Page 7");
        assert_eq!(client.prompt("summary", json!({"of": "it"})).await?[0]["content"]["text"], "Sum up it.");
        let whole = client.call_result("add", json!({"a": 2, "b": 3})).await?;
        assert_eq!(whole["content"], json!([{"type": "text", "text": "5"}]));
    }
    Ok(())
}

#[tokio::test]
async fn what_goes_wrong_is_told_apart() {
    let server = built();
    for revision in REVISIONS {
        let mut client = Client::new(&server).revision(revision);
        let failed = client.call::<u8>("fail", json!({})).await;
        assert_eq!(failed, Err(ClientError::Failed("It is too late for that.".to_owned())));
        assert_eq!(client.call::<u8>("nothing", json!({})).await.expect_err("unknown").code(), Some(-32602));
        let other = client.call::<u8>("echo", json!({"text": "x"})).await;
        assert!(matches!(other, Err(ClientError::Unexpected(_))), "{other:?}");
        let mut mute = Client::new(&server).revision(revision).capabilities(json!({"elicitation": {}}));
        let asked = mute.call::<String>("greet", json!({})).await;
        let old = ["2024-11-05", "2025-03-26"].contains(&revision);
        match asked {
            Err(ClientError::Unexpected(text)) if !old => assert!(text.contains("elicitation/create"), "{text}"),
            Err(ClientError::Failed(_) | ClientError::Refused { .. }) if old => {}
            asked => panic!("{revision}: {asked:?}"),
        }
    }
}

#[tokio::test]
async fn questions_are_answered_in_both_eras() {
    let server = built();
    for revision in &REVISIONS[2..] {
        let answer = |_: &str, params: &Value| {
            assert_eq!(params["message"], "What is your name?");
            json!({"action": "accept", "content": {"name": "Ada"}})
        };
        let mut client = Client::new(&server).revision(revision).answering(answer);
        assert_eq!(client.call::<String>("greet", json!({})).await.as_deref(), Ok("Hello, Ada"));
    }
}

#[tokio::test]
async fn notifications_are_kept_until_they_are_asked_for() {
    let mut client = Client::new(&built());
    client.call::<usize>("moment", json!({})).await.expect("a number");
    let heard = client.notifications();
    assert_eq!((heard.len(), &heard[0]["params"]["progress"]), (1, &json!(1)));
    assert_eq!(client.notifications(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_request_that_nobody_waited_for_is_in_nobody_s_way() {
    for revision in REVISIONS {
        let mut client = Client::new(&built()).revision(revision);
        client.server().await.expect("a server");
        tokio::select! {
            biased;
            result = client.call::<usize>("moment", json!({})) => panic!("it takes a moment: {result:?}"),
            () = std::future::ready(()) => {}
        }
        assert_eq!(client.call::<i64>("add", json!({"a": 2, "b": 3})).await, Ok(5));
        assert_eq!(client.call::<i64>("add", json!({"a": 3, "b": 3})).await, Ok(6));
    }
}

#[tokio::test]
async fn a_test_can_add_to_the_meta_of_a_request() {
    let mut client = Client::new(&built());
    let params = json!({"name": "traced", "arguments": {}, "_meta": {"traceparent": "t"}});
    let result = client.request("tools/call", params).await.expect("a result");
    assert_eq!(result["content"][0]["text"], "t");
}

#[tokio::test]
async fn a_listing_is_everything_on_all_pages() {
    let listing = Client::new(&built()).listing().await.expect("a listing");
    golden("tests/golden/listing.json", &listing);
}

#[test]
#[should_panic(expected = "no revision `2030-01-01`, but 2026-07-28")]
fn a_revision_that_is_not_there_is_told() {
    let _ = Client::new(&built()).revision("2030-01-01");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_pairs_leave_nothing_behind() {
    let shared = Arc::new(());
    let mut pairs = JoinSet::new();
    for number in 0..1_000_i64 {
        let server = server(&shared).build().expect("it builds");
        pairs.spawn(async move {
            let mut client = Client::new(&server).revision(REVISIONS[number as usize % REVISIONS.len()]);
            let sum = client.call::<i64>("add", json!({"a": number, "b": 1})).await;
            assert_eq!(sum, Ok(number + 1));
            client.call::<usize>("moment", json!({})).await.expect("a number")
        });
    }
    assert!(pairs.join_all().await.into_iter().all(|count| count > 1));
    assert_eq!(Arc::strong_count(&shared), 1);
}
