use super::ask::{Ask, Session, events};
use super::fixture::{Stage, server, within};
use super::wire::{Served, connection, read_chunk, read_head};
use crate::ServerHandle;
use crate::transport::http::{HttpBody, HttpService};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::time::Instant;

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// A server that changes, as a service.
fn changing() -> (HttpService, ServerHandle) {
    let server = server(&Stage::new()).build().expect("the fixture builds");
    let handle = server.handle();
    (server.into_service(), handle)
}

fn listen(id: impl Into<Value>, filter: Value) -> Ask {
    Ask::stateless(id, "subscriptions/listen", json!({"notifications": filter}))
}

/// The next piece of a stream; `None` at its end.
async fn next(body: &mut HttpBody) -> Option<String> {
    let frame = within(body.frame()).await?.expect("infallible").into_data().expect("data");
    Some(String::from_utf8(frame.to_vec()).expect("UTF-8"))
}

async fn messages(body: &mut HttpBody) -> Vec<Value> {
    events(&next(body).await.expect("the stream goes on"))
}

fn methods(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["method"].as_str().expect("a method")).collect()
}

/// An open subscription to the tools, after its acknowledgement.
async fn listening(service: &HttpService, id: impl Into<Value>) -> HttpBody {
    let response = listen(id, json!({"toolsListChanged": true, "resourceSubscriptions": ["notes://index"]}));
    let response = response.start(service).await;
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["x-accel-buffering"], "no");
    let mut body = response.into_body();
    assert_eq!(methods(&messages(&mut body).await), ["notifications/subscriptions/acknowledged"]);
    body
}

fn open(service: &HttpService) -> usize {
    service.shared.core.subscribers.count()
}

#[tokio::test]
async fn a_subscription_has_a_stream_of_its_own_and_its_id_in_every_message() {
    let (service, handle) = changing();
    for id in [json!(1_700_000_000_000_i64), json!("s1")] {
        let mut body = listening(&service, id.clone()).await;
        assert_eq!(Ask::call(2, "touch", json!({})).of(&service).await.text(), "touched");
        handle.disable_tool("bump");
        handle.enable_tool("bump");
        let told = messages(&mut body).await;
        assert_eq!(methods(&told), ["notifications/tools/list_changed", "notifications/resources/updated"]);
        assert!(told.iter().all(|message| message["params"]["_meta"][SUBSCRIPTION] == id), "{told:?}");
    }
}

#[tokio::test]
async fn streams_are_told_independently_and_leave_nothing_behind() {
    let (service, handle) = changing();
    let mut bodies = Vec::new();
    for id in 0..50 {
        bodies.push(listening(&service, id).await);
    }
    assert_eq!(open(&service), 50);
    let slow = bodies.split_off(25);
    for _ in 0..300 {
        handle.disable_tool("bump");
        handle.enable_tool("bump");
        handle.resource_updated("notes://index");
        assert_eq!(messages(&mut bodies[0]).await.len(), 2);
    }
    // Whoever has not read is told once, and by now of the same.
    for mut body in slow {
        assert_eq!(messages(&mut body).await.len(), 2);
    }
    assert_eq!(open(&service), 25);
    drop(bodies);
    assert_eq!(open(&service), 0);
}

#[tokio::test]
async fn closing_the_connection_cancels_the_subscription() {
    let (service, _handle) = changing();
    let (mut stream, serving) = connection(&service).await;
    stream.write_all(&listen(1, json!({"toolsListChanged": true})).bytes()).await.unwrap();
    assert_eq!(within(read_head(&mut stream)).await.0, 200);
    let first = within(read_chunk(&mut stream)).await.unwrap();
    assert!(String::from_utf8_lossy(&first).contains("subscriptions/acknowledged"));
    assert_eq!(open(&service), 1);
    drop(stream);
    within(serving).await.unwrap();
    assert_eq!(open(&service), 0);
}

#[tokio::test(start_paused = true)]
async fn a_quiet_subscription_says_that_it_is_alive() {
    let (service, handle) = changing();
    let mut body = listening(&service, 1).await;
    for _ in 0..3 {
        let piece = next(&mut body).await.unwrap();
        assert!(piece.starts_with(':') && !piece.contains("data:"), "{piece:?}");
    }
    let begin = Instant::now();
    handle.disable_tool("bump");
    assert_eq!(messages(&mut body).await.len(), 1);
    assert_eq!(Instant::now(), begin, "news do not wait for the next sign of life");
}

#[tokio::test]
async fn the_end_of_the_server_is_the_result_of_its_subscriptions() {
    let server = server(&Stage::new());
    let served = Served::start(server.disable_tool("bump")).await;
    let mut stream = served.connect().await;
    let ask = listen("s", json!({"toolsListChanged": true})).header("host", &served.address.to_string());
    stream.write_all(&ask.bytes()).await.unwrap();
    assert_eq!(within(read_head(&mut stream)).await.0, 200);
    within(read_chunk(&mut stream)).await.unwrap();
    served.stop.cancel();
    let last = within(read_chunk(&mut stream)).await.unwrap();
    let last = events(std::str::from_utf8(&last).unwrap());
    let result = &last[0]["result"];
    assert_eq!((last.len(), &last[0]["id"]), (1, &json!("s")));
    assert_eq!((&result["resultType"], &result["_meta"][SUBSCRIPTION]), (&json!("complete"), &json!("s")));
    assert_eq!(within(read_chunk(&mut stream)).await, None, "the stream ends");
}

#[tokio::test]
async fn what_cannot_be_a_subscription_is_refused() {
    let (service, _handle) = changing();
    let wanted = || json!({"toolsListChanged": true});
    let reply = listen(1, wanted()).header("accept", "application/json").of(&service).await;
    assert_eq!((reply.status, reply.json()["id"].clone()), (406, json!(1)));
    assert_eq!(listen(1, json!({"toolsListChanged": 1})).of(&service).await.code(), -32602);
    let session = Session::open(&service, "2025-11-25").await;
    let reply = session.ask(1, "subscriptions/listen", json!({"notifications": wanted()})).of(&service).await;
    assert_eq!(reply.code(), -32601, "sessions have a stream of another kind");
    assert_eq!(open(&service), 1, "the session's own");
}

#[tokio::test]
async fn a_server_that_cannot_change_says_so() {
    let service = crate::Server::new("still", "1").tools(crate::tools![super::fixture::twice::echo]);
    let service = service.into_service().unwrap();
    let reply = listen(1, json!({"toolsListChanged": true})).of(&service).await;
    assert_eq!((reply.status, reply.code()), (404, -32601));
    let discovered = Ask::stateless(1, "server/discover", json!({})).of(&service).await.json();
    assert_eq!(discovered["result"]["capabilities"], json!({"tools": {}}));
    let (service, _handle) = changing();
    let discovered = Ask::stateless(1, "server/discover", json!({})).of(&service).await.json();
    let capabilities = &discovered["result"]["capabilities"];
    assert_eq!(capabilities["tools"], json!({"listChanged": true}));
    assert_eq!(capabilities["resources"], json!({"listChanged": true, "subscribe": true}));
    assert_eq!(capabilities.get("prompts"), None);
}

#[tokio::test]
async fn a_session_is_told_on_its_standing_stream() {
    let (service, handle) = changing();
    let session = Session::open(&service, "2025-11-25").await;
    // What happens before the stream is there waits for it.
    handle.disable_tool("bump");
    let mut body = session.get().start(&service).await.into_body();
    assert!(next(&mut body).await.unwrap().starts_with(':'));
    let told = messages(&mut body).await;
    assert_eq!(methods(&told), ["notifications/tools/list_changed"]);
    assert_eq!(told[0]["params"], json!({}));
    for _ in 0..10 {
        handle.enable_tool("bump");
        handle.disable_tool("bump");
    }
    assert_eq!(messages(&mut body).await.len(), 1);
    drop(body);
    assert_eq!(session.delete().of(&service).await.status, 204);
    assert_eq!(open(&service), 0);
}

#[tokio::test]
async fn a_tool_is_replaced_by_another_of_its_name() {
    let (service, handle) = changing();
    let mut body = listening(&service, 1).await;
    handle.replace_tool(crate::tools![super::fixture::twice::echo]).unwrap();
    assert_eq!(methods(&messages(&mut body).await), ["notifications/tools/list_changed"]);
    assert_eq!(Ask::call(2, "echo", json!({})).of(&service).await.text(), "");
    let tools = Ask::stateless(3, "tools/list", json!({})).of(&service).await.json();
    let echo = tools["result"]["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "echo").unwrap();
    assert_eq!(echo["inputSchema"].get("properties"), Some(&json!({})), "{echo}");
    handle.replace_tool(crate::tools![super::fixture::echo]).unwrap();
    assert_eq!(Ask::call(4, "echo", json!({"text": "x"})).of(&service).await.text(), "x");
}
