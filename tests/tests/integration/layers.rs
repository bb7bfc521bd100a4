//! Layers around calls: each request passes them once, whatever becomes of it.

use crate::support::{Fixture, HANDSHAKE, Peer, STATELESS, Transport};
use mcp_tests::layered::{self, PASSAGES};
use serde_json::{Value, json};

/// Every transport in both eras.
fn everywhere() -> impl Iterator<Item = (Transport, &'static str)> {
    Transport::ALL.into_iter().flat_map(|transport| [HANDSHAKE[3], STATELESS].map(|revision| (transport, revision)))
}

async fn open(transport: Transport, revision: &'static str) -> Peer {
    Peer::open_at(Fixture::LAYERED, transport, revision, json!({"elicitation": {}})).await
}

/// What has passed the layer since the last time.
async fn passages(peer: &mut Peer) -> Vec<String> {
    let answer = peer.call(PASSAGES, json!({})).await;
    let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"));
    serde_json::from_str(text).expect("a list")
}

#[tokio::test]
async fn each_request_to_a_function_enters_and_leaves_once() {
    for (transport, revision) in everywhere() {
        let mut peer = open(transport, revision).await;
        let not_found = if revision == STATELESS { -32602 } else { -32002 };
        let completion =
            json!({"ref": {"type": "ref/resource", "uri": "notes://{id}"}, "argument": {"name": "id", "value": "1"}});
        let calls = [
            ("tools/call", json!({"name": "echo", "arguments": {"text": "x"}}), "echo: fine".to_owned()),
            ("tools/call", json!({"name": "echo", "arguments": {"text": 5}}), "echo: failed".to_owned()),
            ("tools/call", json!({"name": "nap", "arguments": {"ms": 1}}), "nap: fine".to_owned()),
            ("tools/call", json!({"name": "too_slow"}), "too_slow: failed".to_owned()),
            ("tools/call", json!({"name": "boom"}), "boom: -32603".to_owned()),
            ("tools/call", json!({"name": "boom_later"}), "boom_later: -32603".to_owned()),
            ("tools/call", json!({"name": "boom_blocking"}), "boom_blocking: -32603".to_owned()),
            ("tools/call", json!({"name": "no_such"}), "-: -32602".to_owned()),
            ("resources/read", json!({"uri": "item://3"}), "item: fine".to_owned()),
            ("resources/read", json!({"uri": "no://such"}), format!("-: {not_found}")),
            ("prompts/get", json!({"name": "boom_prompt"}), "boom_prompt: -32603".to_owned()),
            ("prompts/get", json!({"name": "no_such"}), "-: -32602".to_owned()),
            ("completion/complete", completion, "note: fine".to_owned()),
        ];
        for (method, params, expected) in calls {
            let answer = peer.request(method, params).await;
            assert_eq!(
                passages(&mut peer).await,
                [format!("{method} {expected}")],
                "{transport:?} {revision}: {answer}"
            );
        }
        for method in ["tools/list", "resources/list", "no/such"] {
            peer.request(method, json!({})).await;
        }
        assert_eq!(passages(&mut peer).await, [""; 0], "lists are no calls");
    }
}

#[tokio::test]
async fn a_cancelled_request_drops_its_passage() {
    for (transport, revision) in everywhere() {
        let mut peer = open(transport, revision).await;
        peer.meta = json!({"progressToken": 1});
        peer.begin("tools/call", json!({"name": "forever"})).await;
        peer.meta = json!({});
        peer.cancel().await;
        assert_eq!(passages(&mut peer).await, ["tools/call forever: dropped"], "{transport:?} {revision}");
        assert_eq!(peer.text("was_dropped", json!({})).await, "true", "{transport:?} {revision}");
    }
}

#[tokio::test]
async fn a_call_that_asks_passes_once_for_each_of_its_requests() {
    fn agreeable(_: &str, params: &Value) -> Value {
        let has_row = params["requestedSchema"]["properties"].get("row").is_some();
        let content = if has_row { json!({"row": 7, "window": true}) } else { json!({"sure": true}) };
        json!({"action": "accept", "content": content})
    }
    for (transport, revision) in everywhere() {
        let mut peer = open(transport, revision).await;
        peer.answer = Some(agreeable);
        let text = peer.text("book", json!({"train": "ICE 1"})).await;
        assert!(text.starts_with("row 7 in ICE 1: true"), "{transport:?} {revision}: {text}");
        let requests = if revision == STATELESS { 3 } else { 1 };
        let passed = passages(&mut peer).await;
        assert_eq!(passed, vec!["tools/call book: fine"; requests], "{transport:?} {revision}");
    }
}

#[tokio::test]
async fn each_call_of_a_batch_passes() {
    let mut connection = layered::server().build().expect("the fixture builds").connect();
    let settled =
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}}"#;
    connection.send(settled);
    connection.receive().await.expect("an answer");
    let call = |id: u32, name: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{name}","arguments":{{}}}}}}"#)
    };
    connection.send(&format!("[{},{},{}]", call(1, "nothing"), call(2, "boom_later"), call(3, "no_such")));
    let answers: Value = serde_json::from_str(&connection.receive().await.expect("an answer")).expect("JSON");
    assert_eq!(answers.as_array().map(Vec::len), Some(3), "{answers}");
    connection.send(&call(4, PASSAGES));
    let answer: Value = serde_json::from_str(&connection.receive().await.expect("an answer")).expect("JSON");
    let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
    let mut passed: Vec<&str> = serde_json::from_str(text).expect("a list");
    passed.sort_unstable();
    assert_eq!(passed, ["tools/call -: -32602", "tools/call boom_later: -32603", "tools/call nothing: fine"]);
}
