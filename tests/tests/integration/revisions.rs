//! Lists and handshakes, revision by revision: nothing that a revision does not know.

use crate::support::{HANDSHAKE, Peer, STATELESS, Transport};
use serde_json::{Value, json};

/// The entry of one tool in the list.
async fn motto(revision: &'static str) -> Value {
    let mut peer = Peer::open(Transport::Memory, revision).await;
    let answer = peer.request("tools/list", json!({})).await;
    let tools = answer["result"]["tools"].as_array().expect("tools");
    tools.iter().find(|tool| tool["name"] == "motto").expect("it is listed").clone()
}

#[tokio::test]
async fn tools_have_what_their_revision_knows() {
    for (revision, members) in [
        (HANDSHAKE[0], vec!["description", "inputSchema", "name"]),
        (HANDSHAKE[1], vec!["annotations", "description", "inputSchema", "name"]),
        (HANDSHAKE[2], vec!["annotations", "description", "inputSchema", "name", "title"]),
        (HANDSHAKE[3], vec!["annotations", "description", "inputSchema", "name", "title"]),
        (STATELESS, vec!["annotations", "description", "inputSchema", "name", "title"]),
    ] {
        let tool = motto(revision).await;
        let mut known: Vec<&String> = tool.as_object().expect("an object").keys().collect();
        known.sort();
        assert_eq!(known, members, "{revision}");
    }
}

#[tokio::test]
async fn output_schemas_begin_with_the_third_revision() {
    for revision in HANDSHAKE.into_iter().chain([STATELESS]) {
        let mut peer = Peer::open(Transport::Memory, revision).await;
        let answer = peer.request("tools/list", json!({})).await;
        let tools = answer["result"]["tools"].as_array().expect("tools").clone();
        let measure = tools.iter().find(|tool| tool["name"] == "measure").expect("it is listed");
        assert_eq!(measure.get("outputSchema").is_some(), revision >= HANDSHAKE[2], "{revision}");
        let answer = peer.call("measure", json!({"kind": "good"})).await;
        assert_eq!(answer["result"].get("structuredContent").is_some(), revision >= HANDSHAKE[2], "{revision}");
    }
}

#[tokio::test]
async fn the_older_methods_exist_in_sessions_only() {
    for transport in Transport::ALL {
        for revision in [HANDSHAKE[1], HANDSHAKE[3]] {
            let mut peer = Peer::open(transport, revision).await;
            assert_eq!(peer.request("ping", json!({})).await["result"], json!({}));
            assert_eq!(peer.request("server/discover", json!({})).await["error"]["code"], -32601);
        }
        let mut peer = Peer::open(transport, STATELESS).await;
        for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"] {
            assert_eq!(peer.request(method, json!({})).await["error"]["code"], -32601, "{method}");
        }
    }
}

#[tokio::test]
async fn batches_belong_to_the_two_oldest_revisions() {
    for revision in HANDSHAKE {
        let mut connection = mcp_tests::fixture::server().build().expect("it builds").connect();
        let params =
            json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
        connection.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string());
        connection.try_receive().expect("an answer");
        let call = |id: &str, tool: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
        let batch = json!([
            call("a", "echo", json!({"text": "x"})),
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            call("b", "nap", json!({"ms": 5})),
            {"jsonrpc": "2.0", "id": "c", "method": "initialize", "params": {}},
            5,
        ]);
        connection.send(&batch.to_string());
        let answer: Value = serde_json::from_str(&connection.receive().await.expect("an answer")).expect("JSON");
        if revision <= HANDSHAKE[1] {
            let answers = answer.as_array().unwrap_or_else(|| panic!("{answer}"));
            // An error without an id, for what is no message, would make the others unreadable for such clients.
            assert_eq!(answers.len(), 3, "{answer}");
            let of = |id: &str| answers.iter().find(|answer| answer["id"] == id).expect("an answer to each");
            assert_eq!(of("a")["result"]["content"][0]["text"], "x");
            assert_eq!(of("b")["result"]["content"][0]["text"], "slept 5 ms");
            assert_eq!(of("c")["error"]["code"], -32600);
            connection.send("[]");
            let answer: Value = serde_json::from_str(&connection.try_receive().expect("an answer")).expect("JSON");
            assert_eq!(answer["error"]["code"], -32600);
            connection.send(r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#);
            for nothing in ["[5,[]]", "[5", "[5,]"] {
                connection.send(nothing);
            }
        } else {
            assert_eq!(answer["error"]["code"], -32600, "{answer}");
            assert!(answer.get("id").is_none());
        }
        assert_eq!(connection.try_receive(), None);
    }
}
