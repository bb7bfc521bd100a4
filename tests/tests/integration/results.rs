//! What tools give back.

use crate::support::{HANDSHAKE, Peer, STATELESS, Transport};
use serde_json::{Value, json};

/// The entry of one tool in the list.
async fn listed(peer: &mut Peer, name: &str) -> Value {
    let answer = peer.request("tools/list", json!({})).await;
    let tools = answer["result"]["tools"].as_array().expect("tools");
    tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("{name} is not listed")).clone()
}

#[tokio::test]
async fn scalars_are_text_and_structures_are_both() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    let answer = peer.call("bump", json!({})).await;
    assert!(answer["result"].get("structuredContent").is_none(), "{answer}");
    let answer = peer.call("measure", json!({"kind": "good"})).await;
    let structured = &answer["result"]["structuredContent"];
    assert_eq!(structured, &json!({"error": null, "value": 1.5}));
    let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
    assert_eq!(&serde_json::from_str::<Value>(text).expect("JSON"), structured);
    let answer = peer.call("nothing", json!({})).await;
    assert_eq!(answer["result"]["content"], json!([]));
}

#[tokio::test]
async fn a_list_is_structured_only_where_the_revision_can_carry_it() {
    for revision in HANDSHAKE.into_iter().chain([STATELESS]) {
        let mut peer = Peer::open(Transport::Memory, revision).await;
        let schema = listed(&mut peer, "list_numbers").await.get("outputSchema").cloned();
        let answer = peer.call("list_numbers", json!({"n": 3})).await;
        assert_eq!(answer["result"]["content"][0]["text"], "[0,1,2]");
        let structured = answer["result"].get("structuredContent");
        if revision == STATELESS {
            assert_eq!(structured, Some(&json!([0, 1, 2])));
            assert_eq!(schema.expect("a schema")["type"], "array");
        } else {
            assert_eq!((structured, schema), (None, None), "{revision}");
        }
    }
}

#[tokio::test]
async fn structured_content_satisfies_the_published_schema() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    let schema = listed(&mut peer, "measure").await["outputSchema"].clone();
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let answer = peer.call("measure", json!({"kind": "good"})).await;
    assert!(validator.is_valid(&answer["result"]["structuredContent"]), "{answer} {schema}");
    for kind in ["nan", "other"] {
        let answer = peer.call("measure", json!({"kind": kind})).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(answer["result"].get("structuredContent").is_none());
    }
    assert_eq!(peer.call("measure", json!({"kind": "x"})).await["result"]["content"][0]["text"], "no such kind: x");
}

#[tokio::test]
async fn content_that_a_revision_does_not_know_becomes_text() {
    for (revision, kinds) in [
        (HANDSHAKE[0], ["text", "text", "text", "text"]),
        (HANDSHAKE[1], ["text", "audio", "text", "text"]),
        (HANDSHAKE[2], ["text", "audio", "resource_link", "text"]),
        (HANDSHAKE[3], ["text", "audio", "resource_link", "text"]),
        (STATELESS, ["text", "audio", "resource_link", "text"]),
    ] {
        let mut peer = Peer::open(Transport::Memory, revision).await;
        let answer = peer.call("media", json!({})).await;
        let blocks = answer["result"]["content"].as_array().expect("blocks");
        assert_eq!(blocks.iter().map(|block| block["type"].clone()).collect::<Vec<_>>(), kinds, "{revision}");
        let dated = blocks[3].get("annotations").is_some();
        assert_eq!(dated, revision >= HANDSHAKE[2], "{revision}");
        if kinds[2] == "text" {
            assert_eq!(blocks[2]["text"], "index: notes://index");
        }
    }
}

#[tokio::test]
async fn every_result_says_in_the_stateless_revision_only_that_it_is_complete_and_whose_it_is() {
    for revision in HANDSHAKE.into_iter().chain([STATELESS]) {
        let mut peer = Peer::open(Transport::Memory, revision).await;
        for (method, params) in [
            ("tools/list", json!({})),
            ("tools/call", json!({"name": "echo", "arguments": {"text": "x"}})),
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("resources/read", json!({"uri": "notes://index"})),
            ("prompts/list", json!({})),
            ("prompts/get", json!({"name": "greet", "arguments": {"name": "a", "times": "1"}})),
            (
                "completion/complete",
                json!({"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "name", "value": ""}}),
            ),
        ] {
            let answer = peer.request(method, params).await;
            let result = answer["result"].as_object().unwrap_or_else(|| panic!("{answer}"));
            let stateless = revision == STATELESS;
            assert_eq!(result.get("resultType"), stateless.then_some(&json!("complete")), "{revision} {method}");
            assert_eq!(result.contains_key("_meta"), stateless, "{revision} {method}");
            let cacheable = stateless && (method.ends_with("list") || method == "resources/read");
            assert_eq!(result.contains_key("ttlMs"), cacheable, "{revision} {method}");
            assert_eq!(result.contains_key("cacheScope"), cacheable, "{revision} {method}");
            if stateless {
                let server = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
                assert_eq!(server["name"], "mcp-tests");
                assert!(server["version"].is_string());
            }
        }
    }
}
