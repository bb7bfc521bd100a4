//! Messages that are none, ids that are none, and what happens around `initialize`.

use crate::support::{HANDSHAKE, META, Peer, STATELESS, Transport, call};
use mcp_runtime::Connection;
use mcp_tests::fixture;
use serde_json::{Value, json};

fn connect() -> Connection {
    fixture::server().build().expect("the fixture builds").connect()
}

/// Sends a text and gives what comes back at once.
fn send(connection: &mut Connection, text: &str) -> Option<Value> {
    connection.send(text);
    let answer = connection.try_receive();
    assert_eq!(connection.try_receive(), None, "two answers to {text}");
    answer.map(|answer| serde_json::from_str(&answer).expect("JSON"))
}

fn hits(connection: &mut Connection) -> String {
    let answer = send(connection, &call("\"hits\"", "hits", "{}")).expect("an answer");
    answer["result"]["content"][0]["text"].as_str().expect("a text").to_owned()
}

#[tokio::test]
async fn an_answer_repeats_the_id_as_it_was_written() {
    let mut connection = connect();
    for id in ["1", "\"1\"", "-5", "\"\"", "9007199254740993", "123456789012345678901234567890", "\"é\\u0301\""] {
        connection.send(&call(id, "echo", r#"{"text":"x"}"#));
        let answer = connection.try_receive().expect("an answer");
        assert!(answer.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"#)), "{answer}");
    }
}

#[tokio::test]
async fn what_is_no_message_is_answered_without_an_id_and_runs_nothing() {
    let mut connection = connect();
    let before = hits(&mut connection);
    let bump = |id: &str| call(id, "bump", "{}");
    for (text, code) in [
        ("garbage".to_owned(), -32700),
        ("{\"jsonrpc\":".to_owned(), -32700),
        ("42".to_owned(), -32600),
        ("\"x\"".to_owned(), -32600),
        ("null".to_owned(), -32600),
        ("{}".to_owned(), -32600),
        ("[]".to_owned(), -32600),
        (format!("[{}]", bump("1")), -32600),
        (bump("null"), -32600),
        (bump("1.5"), -32600),
        (bump("true"), -32600),
        (bump("{}"), -32600),
    ] {
        let answer = send(&mut connection, &text).expect("an answer");
        assert_eq!(answer["error"]["code"], code, "{text}: {answer}");
        assert!(answer.get("id").is_none(), "{text}: {answer}");
        assert!(answer.get("result").is_none());
    }
    let answer = send(&mut connection, r#"{"jsonrpc":"1.0","id":2,"method":"ping"}"#).expect("an answer");
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &json!(2)));
    assert_eq!(hits(&mut connection), before);
}

#[tokio::test]
async fn repeated_and_differently_cased_members_smuggle_nothing() {
    let mut connection = connect();
    let before = hits(&mut connection);
    for text in [
        format!(r#"{{"jsonrpc":"2.0","id":1,"Method":"tools/call","params":{{"name":"bump",{META}}}}}"#),
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call","params":{{"name":"bump",{META}}}}}"#
        ),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"hits","name":"bump",{META}}}}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"Name":"bump",{META}}}}}"#),
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["bump"]}"#.to_owned(),
    ] {
        let answer = send(&mut connection, &text).expect("an answer");
        assert!([-32600, -32602].contains(&answer["error"]["code"].as_i64().unwrap_or(0)), "{answer}");
    }
    let twice = send(&mut connection, &call("1", "echo", r#"{"text":"a","text":"b"}"#)).expect("an answer");
    assert_eq!(twice["result"]["isError"], true, "{twice}");
    assert_eq!(hits(&mut connection), before);
}

#[tokio::test]
async fn notifications_are_never_answered() {
    let mut connection = connect();
    for text in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":null}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":{"_meta":{}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/unheard_of","params":{"x":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"bump"}}"#,
        r#"{"jsonrpc":"2.0","id":"never-asked","result":{}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON"}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not JSON"}}"#,
    ] {
        assert_eq!(send(&mut connection, text), None, "{text}");
    }
    let text = format!(r#"{{"jsonrpc":"2.0","id":4,"method":"notifications/initialized","params":{{{META}}}}}"#);
    let answer = send(&mut connection, &text).expect("an answer");
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32601), &json!(4)));
}

#[tokio::test]
async fn initialize_settles_on_a_revision_with_a_handshake() {
    for (requested, settled) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        ("banana", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
    ] {
        let mut connection = connect();
        let params = json!({
            "protocolVersion": requested,
            "capabilities": {"future": {"a": 1}, "experimental": {"x": {}}, "extensions": {"io.example/z": {}}},
            "clientInfo": {"name": "t", "version": "0", "colour": "red"},
            "more": true,
        });
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let answer = send(&mut connection, &request.to_string()).expect("an answer");
        assert_eq!(answer["result"]["protocolVersion"], settled, "{answer}");
        assert_eq!(answer["result"]["serverInfo"]["name"], "mcp-tests");
        assert_eq!(answer["result"]["instructions"], "For tests.");
        let again = send(&mut connection, &request.to_string()).expect("an answer");
        assert_eq!(again["error"]["code"], -32600, "{again}");
    }
    for params in
        [json!({"protocolVersion": 5}), json!({}), json!({"protocolVersion": "2025-11-25", "capabilities": 3})]
    {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        let answer = send(&mut connect(), &request.to_string()).expect("an answer");
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}

#[tokio::test]
async fn before_initialize_only_ping_and_stateless_requests_are_served() {
    let mut connection = connect();
    let answer = send(&mut connection, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).expect("an answer");
    assert_eq!(answer["result"], json!({}));
    let answer = send(&mut connection, r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).expect("an answer");
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#);
    let answer = send(&mut connection, &text).expect("an answer");
    assert!(answer["result"]["tools"].is_array(), "{answer}");
}

#[tokio::test]
async fn a_stateless_request_is_served_beside_a_session_and_owes_it_nothing() {
    let mut peer = Peer::open(Transport::Memory, HANDSHAKE[0]).await;
    let old = peer.call("measure", json!({"kind": "good"})).await;
    assert!(old["result"].get("structuredContent").is_none());
    peer.revision = STATELESS;
    let new = peer.call("measure", json!({"kind": "good"})).await;
    assert_eq!(new["result"]["structuredContent"]["value"], 1.5);
    assert_eq!(new["result"]["resultType"], "complete");
    let gone = peer.request("ping", json!({})).await;
    assert_eq!(gone["error"]["code"], -32601);
}

#[tokio::test]
async fn an_incomplete_or_unknown_envelope_is_told_apart() {
    let mut connection = connect();
    let list =
        |meta: Value| json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}).to_string();
    let (version, capabilities) =
        ("io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities");
    for meta in [
        json!({version: STATELESS}),
        json!({capabilities: {}}),
        json!({version: 5, capabilities: {}}),
        json!({version: STATELESS, capabilities: []}),
    ] {
        let answer = send(&mut connection, &list(meta)).expect("an answer");
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    let answer = send(&mut connection, &list(json!({version: "2099-01-01", capabilities: {}}))).expect("an answer");
    assert_eq!(answer["error"]["code"], -32022);
    assert_eq!(answer["error"]["data"]["requested"], "2099-01-01");
    let supported = answer["error"]["data"]["supported"].as_array().expect("an array");
    assert!(supported.contains(&json!(STATELESS)));
    // A client that names a handshake revision must not be told to try it again like this.
    let answer = send(&mut connection, &list(json!({version: HANDSHAKE[3], capabilities: {}}))).expect("an answer");
    assert_eq!(answer["error"]["data"]["supported"], json!([STATELESS]));
}

#[tokio::test]
async fn the_same_id_in_flight_is_refused() {
    let mut connection = connect();
    connection.send(&call("7", "nap", r#"{"ms":50}"#));
    let refused = send(&mut connection, &call("7", "bump", "{}")).expect("an answer");
    assert_eq!(refused["error"]["code"], -32600);
    let answer = connection.receive().await.expect("an answer");
    assert!(answer.contains("slept 50 ms"), "{answer}");
}

#[tokio::test]
async fn an_id_that_comes_again_after_a_cancellation_is_answered() {
    let mut connection = connect();
    for _ in 0..50 {
        connection.send(&call("7", "nap", r#"{"ms":1000}"#));
        connection.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#);
        connection.send(&call("7", "nap", r#"{"ms":1}"#));
        let answer = connection.receive().await.expect("an answer");
        assert!(answer.contains("slept 1 ms"), "{answer}");
    }
}

#[tokio::test]
async fn an_older_peer_gets_an_error_whose_id_is_known() {
    let mut peer = Peer::open(Transport::Memory, HANDSHAKE[2]).await;
    let answer = peer.exchange(json!({"jsonrpc": "1.0", "id": 5, "method": "ping"})).await;
    assert_eq!(answer["error"]["code"], -32600);
    let answer = peer.exchange(json!({"jsonrpc": "2.0", "id": 6, "method": 5})).await;
    assert_eq!(answer["error"]["code"], -32600);
}

#[tokio::test]
async fn a_cancelled_call_is_dropped_and_not_answered() {
    let mut connection = connect();
    let text = r#"{"jsonrpc":"2.0","id":"f","method":"tools/call","params":{"name":"forever","_meta":{"progressToken":1,
        "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    connection.send(text);
    let progress = connection.receive().await.expect("progress");
    assert!(progress.contains("notifications/progress"), "{progress}");
    connection
        .send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"f","reason":"enough"}}"#);
    connection.finish().await;
    assert_eq!(connection.try_receive(), None);
    let answer = send(&mut connection, &call("1", "was_dropped", "{}")).expect("an answer");
    assert_eq!(answer["result"]["content"][0]["text"], "true");
}
