//! Calls under way: progress, logging, cancellation, panics, side by side.

use crate::support::{HANDSHAKE, Peer, STATELESS, Transport};
use mcp_tests::failing::PRIVATE;
use mcp_tests::fixture::SECRET;
use serde_json::{Value, json};

/// The values of the progress notifications so far.
fn progress(peer: &Peer) -> Vec<Value> {
    let all = peer.notifications.iter().filter(|n| n["method"] == "notifications/progress");
    all.map(|n| n["params"]["progress"].clone()).collect()
}

#[tokio::test]
async fn progress_comes_before_the_result_with_the_token_of_the_request() {
    for transport in Transport::ALL {
        for revision in [HANDSHAKE[1], HANDSHAKE[3], STATELESS] {
            for token in [json!("t"), json!(7)] {
                let mut peer = Peer::open(transport, revision).await;
                peer.meta = json!({"progressToken": token});
                assert_eq!(peer.text("steps", json!({"k": 3})).await, "3 steps");
                assert_eq!(progress(&peer), [json!(1), json!(2), json!(3)], "{transport:?} {revision}");
                assert!(peer.notifications.iter().all(|n| n["params"]["progressToken"] == token));
            }
        }
    }
}

#[tokio::test]
async fn nothing_is_sent_about_a_call_that_has_been_answered() {
    for transport in [Transport::Memory, Transport::Stdio] {
        let mut peer = Peer::open(transport, STATELESS).await;
        peer.meta = json!({"progressToken": "t", "io.modelcontextprotocol/logLevel": "debug"});
        assert_eq!(peer.text("babble", json!({})).await, "answered");
        let before = peer.notifications.len();
        assert!(before > 0);
        peer.meta = json!({});
        // Long enough for the work that goes on beside the call.
        peer.text("nap", json!({"ms": 100})).await;
        assert_eq!(peer.notifications.len(), before, "{transport:?}");
    }
}

#[tokio::test]
async fn arguments_that_no_state_can_be_bound_to_are_no_fault_of_a_call_that_asks_nothing() {
    let mut peer = Peer::open(Transport::Memory, STATELESS).await;
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    assert_eq!(peer.text("file_away", json!({"doc": deep})).await, "false false");
}

#[tokio::test]
async fn without_a_token_there_is_no_progress() {
    for transport in Transport::ALL {
        let mut peer = Peer::open(transport, STATELESS).await;
        peer.text("steps", json!({"k": 3})).await;
        assert_eq!(peer.notifications, Vec::<Value>::new());
    }
}

#[tokio::test]
async fn only_progress_that_increases_is_sent() {
    for transport in Transport::ALL {
        let mut peer = Peer::open(transport, STATELESS).await;
        peer.meta = json!({"progressToken": "t"});
        peer.text("uneven", json!({})).await;
        assert_eq!(progress(&peer), [json!(1), json!(2)]);
    }
}

/// The levels of the log messages so far.
fn levels(peer: &Peer) -> Vec<&str> {
    let all = peer.notifications.iter().filter(|n| n["method"] == "notifications/message");
    all.filter_map(|n| n["params"]["level"].as_str()).collect()
}

#[tokio::test]
async fn a_stateless_request_gets_the_log_messages_that_it_asks_for() {
    for transport in Transport::ALL {
        let mut peer = Peer::open(transport, STATELESS).await;
        peer.text("chatter", json!({})).await;
        assert_eq!(levels(&peer), Vec::<&str>::new());
        peer.meta = json!({"io.modelcontextprotocol/logLevel": "critical"});
        peer.text("chatter", json!({})).await;
        assert_eq!(levels(&peer), ["critical", "alert", "emergency"]);
        peer.meta = json!({"io.modelcontextprotocol/logLevel": "loud"});
        let answer = peer.call("chatter", json!({})).await;
        assert_eq!(answer["error"]["code"], -32602);
    }
}

#[tokio::test]
async fn a_session_gets_the_log_messages_of_its_level() {
    for transport in Transport::ALL {
        let mut peer = Peer::open(transport, HANDSHAKE[3]).await;
        let answer = peer.request("logging/setLevel", json!({"level": "alert"})).await;
        assert_eq!(answer["result"], json!({}));
        peer.text("chatter", json!({})).await;
        assert_eq!(levels(&peer), ["alert", "emergency"]);
        let answer = peer.request("logging/setLevel", json!({"level": "loud"})).await;
        assert_eq!(answer["error"]["code"], -32602);
    }
}

#[tokio::test]
async fn a_panic_costs_its_own_call_and_tells_nothing() {
    for transport in Transport::ALL {
        for revision in [HANDSHAKE[3], STATELESS] {
            let mut peer = Peer::open(transport, revision).await;
            for tool in ["boom", "boom_later", "boom_blocking"] {
                let answer = peer.call(tool, json!({})).await;
                assert_eq!(answer["error"]["code"], -32603, "{answer}");
                assert!(!answer.to_string().contains(SECRET));
            }
            let answer = peer.request("resources/read", json!({"uri": "boom://now"})).await;
            assert_eq!(answer["error"]["code"], -32603, "{answer}");
            let answer = peer.request("prompts/get", json!({"name": "boom_prompt"})).await;
            assert_eq!(answer["error"]["code"], -32603, "{answer}");
            assert_eq!(peer.text("echo", json!({"text": "alive"})).await, "alive");
        }
    }
}

#[tokio::test]
async fn an_internal_cause_stays_inside() {
    const TOLD: &str = "The server failed to do this; its log has the cause under ";
    let everywhere = Transport::ALL.into_iter().flat_map(|transport| [HANDSHAKE[3], STATELESS].map(|r| (transport, r)));
    for (transport, revision) in everywhere {
        let mut peer = Peer::open(transport, revision).await;
        for tool in ["fails_inside", "fails_as_the_system", "fails_somehow", "fails_somehow_later", "fails_in_a_task"] {
            let answer = peer.call(tool, json!({})).await;
            let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{tool}: {answer}"));
            assert!(answer["result"]["isError"] == true && text.starts_with(TOLD), "{tool}: {answer}");
            assert!(!answer.to_string().contains(PRIVATE), "{tool}: {answer}");
        }
        for (method, params) in
            [("resources/read", json!({"uri": "fails://now"})), ("prompts/get", json!({"name": "fails_as_a_prompt"}))]
        {
            let answer = peer.request(method, params).await;
            let text = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{method}: {answer}"));
            assert!(answer["error"]["code"] == -32603 && text.starts_with(TOLD), "{method}: {answer}");
            assert!(!answer.to_string().contains(PRIVATE), "{method}: {answer}");
        }
        let answer = peer.call("fails_for_the_model", json!({})).await;
        let told = json!([{"type": "text", "text": "pick another date"}]);
        assert_eq!((&answer["result"]["isError"], &answer["result"]["content"]), (&json!(true), &told));
    }
}

#[tokio::test]
async fn unknown_names_are_invalid_params() {
    for transport in Transport::ALL {
        for revision in [HANDSHAKE[1], HANDSHAKE[3], STATELESS] {
            let mut peer = Peer::open(transport, revision).await;
            for (method, params) in [
                ("tools/call", json!({"name": "no_such", "arguments": {}})),
                ("tools/call", json!({"arguments": {}})),
                ("tools/call", json!({"name": 5})),
                ("prompts/get", json!({"name": "no_such"})),
            ] {
                // Over HTTP a stateless request without a name cannot even carry its headers.
                if transport == Transport::Http && revision == STATELESS && !params["name"].is_string() {
                    continue;
                }
                let answer = peer.request(method, params).await;
                assert_eq!(answer["error"]["code"], -32602, "{answer}");
            }
            let answer = peer.request("no/such", json!({})).await;
            assert_eq!(answer["error"]["code"], -32601, "{answer}");
        }
    }
}

#[tokio::test]
async fn a_capability_that_is_missing_is_known_before_the_function_runs() {
    for transport in Transport::ALL {
        let mut peer = Peer::open(transport, STATELESS).await;
        let answer = peer.call("needs_sampling", json!({})).await;
        assert_eq!(answer["error"]["code"], -32021);
        assert_eq!(answer["error"]["data"], json!({"requiredCapabilities": {"sampling": {}}}));
        for revision in [HANDSHAKE[3], STATELESS] {
            let mut peer = Peer::open_with(transport, revision, json!({"sampling": {}})).await;
            assert_eq!(peer.text("needs_sampling", json!({})).await, "sampled");
        }
    }
}
