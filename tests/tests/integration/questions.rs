//! Questions to the client: one handler, both eras, every transport.

use crate::support::{HANDSHAKE, Peer, STATELESS, Transport};
use serde_json::{Value, json};

/// What the clients of these tests can do.
fn able() -> Value {
    json!({"elicitation": {}, "sampling": {}, "roots": {}})
}

/// A client that agrees to everything.
fn agreeable(method: &str, params: &Value) -> Value {
    match method {
        "elicitation/create" if params["requestedSchema"]["properties"].get("row").is_some() => {
            json!({"action": "accept", "content": {"row": 7, "window": true, "unknown": 1}})
        }
        "elicitation/create" => json!({"action": "accept", "content": {"sure": true}}),
        "sampling/createMessage" => {
            json!({"role": "assistant", "content": {"type": "text", "text": "Roses."}, "model": "m", "stopReason": "endTurn"})
        }
        "roots/list" => json!({"roots": [{"uri": "file:///a", "name": "A"}, {"uri": "file:///b"}]}),
        other => panic!("{other}"),
    }
}

/// Every transport with every revision that can ask for forms.
fn everywhere() -> impl Iterator<Item = (Transport, &'static str)> {
    let revisions = [HANDSHAKE[2], HANDSHAKE[3], STATELESS];
    Transport::ALL.into_iter().flat_map(move |transport| revisions.into_iter().map(move |r| (transport, r)))
}

async fn open(transport: Transport, revision: &'static str) -> Peer {
    let mut peer = Peer::open_with(transport, revision, able()).await;
    peer.answer = Some(agreeable);
    peer
}

#[tokio::test]
async fn one_handler_asks_the_same_in_both_eras() {
    for (transport, revision) in everywhere() {
        let mut peer = open(transport, revision).await;
        let text = peer.text("book", json!({"train": "ICE 1"})).await;
        assert!(text.starts_with("row 7 in ICE 1: true"), "{transport:?} {revision}: {text}");
        let asked: Vec<&str> = peer.asked.iter().filter_map(|(_, params)| params["message"].as_str()).collect();
        assert_eq!(asked, ["Which seat in ICE 1?", "Are you sure?"], "{transport:?} {revision}");
        let form = &peer.asked[0].1["requestedSchema"];
        let row = json!({"type": "integer", "description": "The row, from the front.", "minimum": 1, "maximum": 40});
        assert_eq!((&form["properties"]["row"], &form["required"]), (&row, &json!(["row"])), "{form}");
    }
}

#[tokio::test]
async fn a_step_runs_once_across_the_rounds() {
    // A process of its own: nobody else holds seats there.
    let mut peer = open(Transport::Stdio, STATELESS).await;
    for _ in 0..3 {
        let text = peer.text("book", json!({"train": "ICE 1"})).await;
        assert!(text.ends_with("held once: true"), "{text}");
    }
}

#[tokio::test]
async fn questions_that_are_asked_together_travel_together() {
    for (transport, revision) in everywhere() {
        let mut peer = open(transport, revision).await;
        let text = peer.text("survey", json!({})).await;
        assert_eq!(text, "Accepted(Sure { sure: true }) Roses. 2", "{transport:?} {revision}");
        let mut methods: Vec<&str> = peer.asked.iter().map(|(method, _)| method.as_str()).collect();
        methods.sort_unstable();
        assert_eq!(methods, ["elicitation/create", "roots/list", "sampling/createMessage"]);
        let sampling = peer.asked.iter().find(|(method, _)| method == "sampling/createMessage").expect("it was asked");
        assert_eq!(sampling.1["maxTokens"], 50);
        assert_eq!(sampling.1["systemPrompt"], "Be brief.");
        let message = json!([{"role": "user", "content": {"type": "text", "text": "A poem, please."}}]);
        assert_eq!(sampling.1["messages"], message);
    }
    let mut peer = Peer::open_with(Transport::Memory, STATELESS, able()).await;
    let answer = peer.call("survey", json!({})).await;
    assert_eq!(answer["result"]["inputRequests"].as_object().map(|r| r.len()), Some(3), "one round: {answer}");
    assert!(answer["result"].get("requestState").is_none(), "there is nothing to remember: {answer}");
}

#[tokio::test]
async fn resources_and_prompts_ask_too() {
    for (transport, revision) in everywhere() {
        let mut peer = open(transport, revision).await;
        let answer = peer.request("resources/read", json!({"uri": "ask://tea"})).await;
        assert_eq!(answer["result"]["contents"][0]["text"], "tea: true", "{transport:?} {revision}: {answer}");
        let answer = peer.request("prompts/get", json!({"name": "asking_prompt"})).await;
        assert_eq!(answer["result"]["messages"][0]["content"]["text"], "sure: true");
    }
}

#[tokio::test]
async fn a_person_may_decline() {
    for (transport, revision) in everywhere() {
        for (action, text) in [("decline", "declined"), ("cancel", "closed")] {
            let mut peer = open(transport, revision).await;
            peer.answer = Some(match action {
                "decline" => |_, _| json!({"action": "decline"}),
                _ => |_, _| json!({"action": "cancel", "content": null}),
            });
            let answer = peer.call("book", json!({"train": "x"})).await;
            assert_eq!(answer["result"]["isError"], true, "{answer}");
            assert!(answer["result"]["content"][0]["text"].as_str().is_some_and(|t| t.contains(text)), "{answer}");
            assert_eq!(peer.asked.len(), 1);
        }
    }
}

#[tokio::test]
async fn answers_that_do_not_fit_never_reach_the_function() {
    let answers: [crate::support::peer::Answer; 7] = [
        |_, _| json!({"action": "accept", "content": {"row": 41}}),
        |_, _| json!({"action": "accept", "content": {"row": "7"}}),
        |_, _| json!({"action": "accept", "content": {"row": null}}),
        |_, _| json!({"action": "accept"}),
        |_, _| json!({"action": "perhaps"}),
        |_, _| json!({"row": 7}),
        |_, _| json!({}),
    ];
    for (transport, revision) in everywhere() {
        for answer in answers {
            let mut peer = open(transport, revision).await;
            peer.answer = Some(answer);
            let response = peer.call("book", json!({"train": "x"})).await;
            assert_eq!(peer.asked.len(), 1, "{response}");
            assert_eq!(response["error"]["code"], -32602, "{transport:?} {revision}: {response}");
        }
    }
}

#[tokio::test]
async fn odd_responses_are_refused_or_asked_for_again() {
    let mut peer = Peer::open_with(Transport::Memory, STATELESS, able()).await;
    let call = |responses: Value| json!({"name": "book", "arguments": {"train": "x"}, "inputResponses": responses});
    for (responses, asks_again) in [
        (json!({}), true),
        (json!({"other": {"action": "accept"}}), true),
        (json!(null), true),
        (json!([]), false),
        (json!("x"), false),
        (json!({"seat": 5}), false),
        (json!({"seat": null}), false),
    ] {
        let response = peer.request("tools/call", call(responses.clone())).await;
        if asks_again {
            assert_eq!(response["result"]["resultType"], "input_required", "{responses}: {response}");
        } else {
            assert_eq!(response["error"]["code"], -32602, "{responses}: {response}");
        }
    }
}

#[tokio::test]
async fn a_state_that_is_not_ours_is_refused() {
    for transport in Transport::ALL {
        let mut peer = Peer::open_with(transport, STATELESS, able()).await;
        let seat = json!({"seat": {"action": "accept", "content": {"row": 7}}});
        let first = json!({"name": "book", "arguments": {"train": "x"}, "inputResponses": seat});
        let response = peer.request("tools/call", first).await;
        let state = response["result"]["requestState"].as_str().expect("a state").to_owned();
        let sure = json!({"sure": {"action": "accept", "content": {"sure": true}}});
        let second = |tool: &str, train: &str, state: Value| json!({"name": tool, "arguments": {"train": train}, "inputResponses": sure, "requestState": state});
        let mut flipped = state.clone().into_bytes();
        let middle = flipped.len() / 2;
        flipped[middle] = if flipped[middle] == b'A' { b'B' } else { b'A' };
        let flipped = String::from_utf8(flipped).expect("ASCII");
        for params in [
            second("book", "y", json!(state)),
            second("book", "x", json!(flipped)),
            second("book", "x", json!(format!("{state}-TAMPERED"))),
            second("book", "x", json!("")),
            second("book", "x", json!(5)),
            second("echo", "x", json!(state)),
        ] {
            let response = peer.request("tools/call", params).await;
            assert_eq!(response["error"]["code"], -32602, "{response}");
        }
        let response = peer.request("tools/call", second("book", "x", json!(state))).await;
        let text = response["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{response}"));
        assert!(text.starts_with("row 7 in x: true"), "{text}");
    }
}

/// A `tools/call` of the stateless revision as a text of its own, for arguments that no value can hold.
fn raw_call(arguments: &str, more: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"send","arguments":{arguments}{more},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{"elicitation":{{}}}}}}}}}}"#
    )
}

#[tokio::test]
async fn a_state_is_bound_to_arguments_that_cannot_be_read_as_values_too() {
    let mut connection = mcp_tests::fixture::server().build().expect("it builds").connect();
    let mut send = |text: &str| -> Value {
        connection.send(text);
        serde_json::from_str(&connection.try_receive().expect("an answer")).expect("JSON")
    };
    for junk in ["1e999", r#""\ud800""#] {
        let arguments = |amount: u64| format!(r#"{{"amount":{amount},"purpose":{{"text":null,"junk":{junk}}}}}"#);
        let first = send(&raw_call(&arguments(1), ""));
        let Some(state) = first["result"].get("requestState") else {
            assert_eq!(first["result"]["isError"], true, "{first}");
            continue;
        };
        let more = format!(
            r#","requestState":{state},"inputResponses":{{"sure":{{"action":"accept","content":{{"sure":true}}}}}}"#
        );
        let other = send(&raw_call(&arguments(1_000_000), &more));
        assert_eq!(other["error"]["code"], -32602, "{other}");
        let same = send(&raw_call(&arguments(1), &more));
        assert_eq!(same["result"]["content"][0]["text"], "sent 1 plus 1 (): true", "{same}");
    }
}

#[tokio::test]
async fn a_step_that_runs_beside_a_question_runs_once() {
    // A process of its own: nobody else charges there.
    let mut peer = open(Transport::Stdio, STATELESS).await;
    assert_eq!(peer.text("charge", json!({})).await, "charge 1 of 1: true");
    assert_eq!(peer.text("charge", json!({})).await, "charge 2 of 2: true");
}

#[tokio::test]
async fn contents_with_answers_in_them_are_nobody_else_s() {
    let hour = std::time::Duration::from_secs(3600);
    let server = mcp_tests::fixture::server().caching(hour, true).build().expect("it builds");
    let mut connection = server.connect();
    let mut read = |more: &str| -> Value {
        connection.send(
            &raw_call("{}", more)
                .replace("tools/call", "resources/read")
                .replace(r#""name":"send","arguments":{}"#, r#""uri":"ask://tea""#),
        );
        serde_json::from_str(&connection.try_receive().expect("an answer")).expect("JSON")
    };
    let answer = read(r#","inputResponses":{"form-1":{"action":"accept","content":{"sure":true}}}"#);
    assert_eq!(
        (&answer["result"]["ttlMs"], &answer["result"]["cacheScope"]),
        (&json!(0), &json!("private")),
        "{answer}"
    );
}

#[tokio::test]
async fn single_use_states_are_used_once() {
    let server = mcp_tests::fixture::server().single_use_rounds().build().expect("it builds");
    let mut connection = server.connect();
    let mut send = |more: &str| -> Value {
        connection.send(&raw_call(r#"{"amount":1,"purpose":{}}"#, more));
        serde_json::from_str(&connection.try_receive().expect("an answer")).expect("JSON")
    };
    let answers = r#","inputResponses":{"sure":{"action":"accept","content":{"sure":true}}}"#;
    assert_eq!(send(answers)["result"]["resultType"], "input_required", "answers without a state are asked for again");
    let state = send("")["result"]["requestState"].clone();
    let more = format!(r#"{answers},"requestState":{state}"#);
    assert_eq!(send(&more)["result"]["resultType"], "complete");
    assert_eq!(send(&more)["error"]["code"], -32602);
}

#[tokio::test]
async fn what_the_client_did_not_declare_is_not_asked() {
    for transport in Transport::ALL {
        let mut peer = Peer::open_with(transport, STATELESS, json!({"sampling": {}})).await;
        let response = peer.call("book", json!({"train": "x"})).await;
        assert_eq!(response["error"]["code"], -32021, "{response}");
        assert_eq!(response["error"]["data"], json!({"requiredCapabilities": {"elicitation": {}}}));
        let mut peer = Peer::open_with(transport, HANDSHAKE[3], json!({"sampling": {}})).await;
        let response = peer.call("book", json!({"train": "x"})).await;
        assert_eq!(response["result"]["isError"], true, "{response}");
        assert!(peer.asked.is_empty());
    }
    // Older revisions have no forms at all.
    let mut peer = Peer::open_with(Transport::Memory, HANDSHAKE[1], able()).await;
    let response = peer.call("book", json!({"train": "x"})).await;
    assert_eq!(response["result"]["isError"], true, "{response}");
}

#[tokio::test]
async fn responses_that_nobody_waits_for_are_nobody_s() {
    let mut peer = open(Transport::Memory, HANDSHAKE[3]).await;
    for id in [json!("ask-1"), json!("ask-99"), json!(1), json!("x")] {
        peer.respond(json!({"jsonrpc": "2.0", "id": id, "result": {"action": "accept", "content": {}}})).await;
        peer.respond(json!({"jsonrpc": "2.0", "id": id, "error": {"code": 1, "message": "no"}})).await;
    }
    let text = peer.text("book", json!({"train": "x"})).await;
    assert!(text.starts_with("row 7"), "{text}");
}

#[tokio::test]
async fn a_function_that_takes_too_long_is_given_up() {
    for transport in Transport::ALL {
        for revision in [HANDSHAKE[3], STATELESS] {
            let mut peer = Peer::open(transport, revision).await;
            let response = peer.call("too_slow", json!({})).await;
            assert_eq!(response["result"]["isError"], true, "{response}");
            assert_eq!(response["result"]["content"][0]["text"], "The function did not finish within 20ms.");
            assert_eq!(peer.text("was_dropped", json!({})).await, "true");
        }
    }
}

#[tokio::test]
async fn tracing_events_reach_the_client_that_asked_for_them() {
    let messages = |peer: &Peer| -> Vec<Value> { peer.notifications.iter().map(|n| n["params"].clone()).collect() };
    let mut peer = Peer::open(Transport::Stdio, STATELESS).await;
    peer.text("traced", json!({})).await;
    assert_eq!(messages(&peer), Vec::<Value>::new());
    peer.meta = json!({"io.modelcontextprotocol/logLevel": "info"});
    peer.text("traced", json!({})).await;
    let warning =
        json!({"level": "warning", "logger": "mcp_tests::fixture", "data": {"message": "watch out", "count": 3}});
    assert_eq!(messages(&peer), std::slice::from_ref(&warning));
    let mut peer = Peer::open(Transport::Stdio, HANDSHAKE[3]).await;
    peer.request("logging/setLevel", json!({"level": "debug"})).await;
    peer.text("traced", json!({})).await;
    let fine = json!({"level": "debug", "logger": "mcp_tests::fixture", "data": "too fine"});
    assert_eq!(messages(&peer), [fine, warning]);
}
