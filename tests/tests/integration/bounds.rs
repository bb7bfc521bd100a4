//! What a server takes from its clients: each limit just kept and just broken, and what whoever breaks it gets.

use crate::support::{META, call};
use mcp_runtime::{BuiltServer, Connection, Server};
use mcp_tests::fixture;
use serde_json::{Value, json};

fn built(limit: impl FnOnce(Server) -> Server) -> BuiltServer {
    limit(fixture::server()).build().expect("the fixture builds")
}

/// Sends a text and gives what comes back at once.
fn send(connection: &mut Connection, text: &str) -> Option<Value> {
    connection.send(text);
    let answer = connection.try_receive();
    assert_eq!(connection.try_receive(), None, "two answers to {text}");
    answer.map(|answer| serde_json::from_str(&answer).expect("JSON"))
}

fn answer(connection: &mut Connection, text: &str) -> Value {
    send(connection, text).unwrap_or_else(|| panic!("no answer to {text}"))
}

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {answer}"))
}

/// A handshake of a revision, with batches if it has any.
fn handshake(connection: &mut Connection, version: &str) {
    let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
    answer(connection, &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string());
    assert_eq!(send(connection, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), None);
}

/// A call whose message is nested so deep.
fn nested(levels: usize) -> String {
    let inner = levels - 3;
    call("7", "any", &format!(r#"{{"value":{}{}}}"#, "[".repeat(inner), "]".repeat(inner)))
}

#[tokio::test]
async fn messages_are_nested_only_so_deep() {
    for (server, most) in [(built(|server| server), 128), (built(|server| server.max_depth(10)), 10)] {
        let mut connection = server.connect();
        assert_eq!(answer(&mut connection, &nested(most))["id"], 7);
        for levels in [most + 1, most + 100, 1_000_000] {
            let answer = answer(&mut connection, &nested(levels));
            assert_eq!((code(&answer), &answer["id"]), (-32600, &json!(7)));
            let text = format!("The message is nested deeper than {most} levels");
            assert_eq!(answer["error"]["message"], text);
        }
        let deep = format!("{}{}", "[".repeat(1_000), "]".repeat(1_000));
        for unanswered in [
            format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":1,"x":{deep}}}}}"#),
            format!(r#"{{"jsonrpc":"2.0","id":5,"result":{deep}}}"#),
        ] {
            assert_eq!(send(&mut connection, &unanswered), None);
        }
    }
    // More can be read, but not decoded.
    let mut connection = built(|server| server.max_depth(1_000)).connect();
    let answer = answer(&mut connection, &nested(500));
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(7), &json!(true)));
}

#[tokio::test]
async fn a_batch_holds_only_so_many_messages() {
    for (server, most) in [(built(|server| server), 1_000), (built(|server| server.max_batch(3)), 3)] {
        let mut connection = server.connect();
        handshake(&mut connection, "2025-03-26");
        let batch = |messages: usize| {
            let ping = |id: usize| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            format!("[{}]", (0..messages).map(ping).collect::<Vec<_>>().join(","))
        };
        assert_eq!(answer(&mut connection, &batch(most)).as_array().map(Vec::len), Some(most));
        let refused = answer(&mut connection, &batch(most + 1));
        assert_eq!((code(&refused), refused.get("id")), (-32600, None));
    }
}

#[tokio::test]
async fn arguments_have_only_so_many_bytes() {
    let server = built(|server| server.max_arguments_size(40));
    let text = |bytes: usize| json!({"text": "x".repeat(bytes - 11)}).to_string();
    let mut connection = server.connect();
    assert_eq!(answer(&mut connection, &call("1", "echo", &text(40)))["result"].get("isError"), None);
    let refused = answer(&mut connection, &call("1", "echo", &text(41)));
    let expected = "Invalid arguments for `echo`:\nthe arguments: expected at most 40 bytes, got 41";
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    assert_eq!(refused["result"]["content"][0]["text"], expected);
    let greeting = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{{"name":"greet","arguments":{{"name":"{}","times":"1"}},{META}}}}}"#,
        "x".repeat(40)
    );
    assert_eq!(code(&answer(&mut connection, &greeting)), -32602);

    let mut old = server.connect();
    handshake(&mut old, "2025-06-18");
    let params = format!(r#"{{"name":"echo","arguments":{}}}"#, text(41));
    let call = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    assert_eq!(code(&answer(&mut old, &call)), -32602);
}

#[tokio::test]
async fn uris_have_only_so_many_bytes() {
    let read = |bytes: usize| {
        let uri = format!("tree://{}", "a".repeat(bytes - 7));
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{{"uri":"{uri}",{META}}}}}"#)
    };
    for (server, most) in [
        (built(|server| server), 8 * 1024),
        (built(|server| server.max_uri_size(100)), 100),
        (built(|server| server.max_uri_size(usize::MAX)), 8 * 1024),
    ] {
        let mut connection = server.connect();
        assert!(answer(&mut connection, &read(most))["result"]["contents"].is_array());
        let refused = answer(&mut connection, &read(most + 1));
        assert_eq!(refused["error"], json!({"code": -32602, "message": format!("a URI has at most {most} bytes")}));
    }
}

#[tokio::test]
async fn a_peer_with_all_its_calls_under_way_is_refused_more_and_another_is_answered() {
    let server = built(|server| server.max_calls_per_peer(2));
    let (mut busy, mut other) = (server.connect(), server.connect());
    for id in ["1", "2"] {
        assert_eq!(send(&mut busy, &call(id, "nap", r#"{"ms":600000}"#)), None);
    }
    for tool in ["nap", "bump"] {
        let refused = answer(&mut busy, &call("3", tool, r#"{"ms":1}"#));
        assert_eq!(code(&refused), -32603);
        assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains("try again later")));
    }
    let list = format!(r#"{{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{{{META}}}}}"#);
    assert!(answer(&mut busy, &list)["result"]["tools"].is_array(), "what waits for nothing is answered");
    other.send(&call("3", "nap", r#"{"ms":1}"#));
    assert!(other.receive().await.expect("an answer").contains("slept 1 ms"));

    busy.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    busy.send(&call("3", "nap", r#"{"ms":1}"#));
    assert!(busy.receive().await.expect("an answer").contains("slept 1 ms"), "a place has become free");
}

#[tokio::test]
async fn the_server_has_only_so_many_calls_under_way() {
    let server = built(|server| server.max_calls(2));
    let mut peers = [server.connect(), server.connect(), server.connect()];
    for peer in &mut peers[..2] {
        assert_eq!(send(peer, &call("1", "nap", r#"{"ms":600000}"#)), None);
    }
    assert_eq!(code(&answer(&mut peers[2], &call("1", "nap", r#"{"ms":1}"#))), -32603);
    peers[0].send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    peers[0].finish().await;
    peers[2].send(&call("1", "nap", r#"{"ms":1}"#));
    assert!(peers[2].receive().await.expect("an answer").contains("slept 1 ms"), "a place has become free");
}

#[tokio::test]
async fn subscriptions_are_limited_for_a_connection_and_for_the_server() {
    let listen = |id: u32| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{{"notifications":{{"toolsListChanged":true}},{META}}}}}"#
        )
    };
    let is_open = |answer: Value| answer["method"] == "notifications/subscriptions/acknowledged";
    let server = built(|server| server.max_subscriptions_per_peer(2).max_subscriptions(3));
    let (mut one, mut other) = (server.connect(), server.connect());
    assert!(is_open(answer(&mut one, &listen(1))) && is_open(answer(&mut one, &listen(2))));
    assert_eq!(code(&answer(&mut one, &listen(3))), -32603, "its own limit");
    assert!(is_open(answer(&mut other, &listen(1))));
    assert_eq!(code(&answer(&mut other, &listen(2))), -32603, "the limit of the server");
    one.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    assert!(is_open(answer(&mut other, &listen(2))));
}

#[tokio::test]
async fn a_result_has_only_so_many_bytes() {
    let mut connection = built(|server| server).connect();
    let answer = answer(&mut connection, &call("1", "list_numbers", r#"{"n":2500000}"#));
    assert_eq!(answer["result"]["isError"], true);
    let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
    assert!(text.contains("more than the 16777216 that it may have"), "{text}");
}
